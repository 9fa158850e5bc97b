# A private network without subnets.

terraform {
  required_providers {
    openstack = {
      source = "terraform-provider-openstack/openstack"
    }
  }
}

resource "openstack_networking_network_v2" "this" {
  name           = var.name
  description    = var.description
  admin_state_up = var.admin_state_up
  mtu            = var.mtu
  tags           = var.tags
}
