# An empty volume of 1 GiB.

terraform {
  required_providers {
    openstack = {
      source = "terraform-provider-openstack/openstack"
    }
  }
}

resource "openstack_blockstorage_volume_v3" "this" {
  name              = var.name
  description       = var.description
  size              = var.size
  volume_type       = var.volume_type
  image_id          = var.image
  availability_zone = var.availability_zone
}
