# A subnet of a virtual network.

terraform {
  required_providers {
    practice = {
      source = "practice.appliance.local/appliance/practice"
    }
  }
}

resource "practice_subnet" "this" {
  network = var.network
  name    = var.name
  cidr    = var.cidr
  zone    = var.zone
}
