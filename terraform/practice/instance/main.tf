# A running virtual machine with a network, a security group and a key pair of its own.

terraform {
  required_providers {
    practice = {
      source = "practice.appliance.local/appliance/practice"
    }
  }
}

resource "practice_instance" "this" {
  name           = var.name
  source         = var.instance_source
  image          = var.instance_source == "public" ? var.image : null
  custom_image   = var.instance_source == "custom" ? var.custom_image : null
  size           = var.size
  network        = var.network
  subnet         = var.subnet
  groups         = var.groups
  public_address = var.public_address
  bandwidth      = var.bandwidth
  key            = var.key
  user_data      = var.user_data
  tags           = var.tags
  state          = var.state
}
