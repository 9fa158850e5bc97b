# A key pair to log in to instances with.

terraform {
  required_providers {
    openstack = {
      source = "terraform-provider-openstack/openstack"
    }
  }
}

resource "openstack_compute_keypair_v2" "this" {
  name       = var.name
  public_key = var.public_key
}
