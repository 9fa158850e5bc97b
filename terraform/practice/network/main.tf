# A virtual network without subnets.

terraform {
  required_providers {
    practice = {
      source = "practice.appliance.local/appliance/practice"
    }
  }
}

resource "practice_network" "this" {
  name        = var.name
  description = var.description
  cidr        = var.cidr
  dns         = var.dns
  tags        = var.tags
}
