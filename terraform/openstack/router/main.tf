# A router with an interface in a subnet.

terraform {
  required_providers {
    openstack = {
      source = "terraform-provider-openstack/openstack"
    }
  }
}

resource "openstack_networking_router_v2" "this" {
  name                = var.name
  admin_state_up      = var.admin_state_up
  external_network_id = var.external_network
}

resource "openstack_networking_router_interface_v2" "this" {
  router_id = openstack_networking_router_v2.this.id
  subnet_id = var.subnet
}
