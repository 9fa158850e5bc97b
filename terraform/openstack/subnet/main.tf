# An IPv4 subnet of a network, with DHCP.

terraform {
  required_providers {
    openstack = {
      source = "terraform-provider-openstack/openstack"
    }
  }
}

resource "openstack_networking_subnet_v2" "this" {
  name            = var.name
  network_id      = var.network
  ip_version      = 4
  cidr            = var.cidr
  gateway_ip      = var.gateway
  enable_dhcp     = var.enable_dhcp
  dns_nameservers = var.dns_nameservers
}
