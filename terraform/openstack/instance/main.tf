# A running instance in a network.

terraform {
  required_providers {
    openstack = {
      source = "terraform-provider-openstack/openstack"
    }
  }
}

resource "openstack_compute_instance_v2" "this" {
  name              = var.name
  image_id          = var.image
  flavor_name       = var.flavor
  key_pair          = var.key_pair
  security_groups   = var.security_groups
  user_data         = var.user_data
  availability_zone = var.availability_zone

  # Nothing here takes the subnet, but without one the network has no address to give.
  metadata = { subnet = var.subnet }

  network {
    uuid = var.network
  }
}
