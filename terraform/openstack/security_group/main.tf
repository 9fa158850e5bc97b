# A security group that lets everything out and nothing in.

terraform {
  required_providers {
    openstack = {
      source = "terraform-provider-openstack/openstack"
    }
  }
}

resource "openstack_networking_secgroup_v2" "this" {
  name        = var.name
  description = var.description
}
