# A floating address that is bound to nothing yet.

terraform {
  required_providers {
    openstack = {
      source = "terraform-provider-openstack/openstack"
    }
  }
}

resource "openstack_networking_floatingip_v2" "this" {
  pool        = var.pool
  description = var.description
}
