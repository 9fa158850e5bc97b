"""A small module that is valid, to be spoilt."""

import pytest

from appliance.environment.modules import Catalogue, WrongModule

YAML = "practice/disk/module.yaml"
DISK = """\
provides:
  en: A disk.
  zh: 云硬盘。
words:
  en: [disk]
  zh: [云硬盘]
provider: practice
named: disk-${unique}
variables:
  name:
    type: string
    description: Name.
    is_required: true
  size:
    type: number
    description: Capacity.
    default: 40
  instance:
    type: string
    description: Attached to.
    module: instance
    needed_for: [in-use]
  state:
    type: string
    description: State.
outputs:
  id: string
  name: string
check: {kind: disk, state: available}
takes_s: 2
cost:
  per_hour: 0
  currency: USD
destroyed_by: Terraform deletes it.
states: [available, in-use]
is_shared: false
"""
MAIN = """\
resource "practice_disk" "this" {
  name = var.name
  size = var.size
}
"""
VARIABLES = """\
variable "name" {
  type = string
}
variable "size" {
  type    = number
  default = 40
}
variable "instance" {
  type    = string
  default = null
}
variable "state" {
  type    = string
  default = null
}
"""
OUTPUTS = """\
output "id" {
  value = practice_disk.this.id
}
output "name" {
  value = practice_disk.this.name
}
"""
FILES = {"module.yaml": DISK, "main.tf": MAIN, "variables.tf": VARIABLES, "outputs.tf": OUTPUTS}


def written(folder, **changed):
    """A folder of modules of one's own with a disk, some of its files changed; None: missing."""
    place = folder / "practice" / "disk"
    place.mkdir(parents=True)
    for name, text in {**FILES, **changed}.items():
        if text is not None:
            (place / name).write_text(text, encoding="utf-8", errors="surrogateescape")
    return folder


def refused(folder):
    """What is said of modules that cannot be used, without the folder."""
    with pytest.raises(WrongModule) as caught:
        Catalogue.load([folder])
    return [line.replace(f"{folder}/", "") for line in str(caught.value).splitlines()]
