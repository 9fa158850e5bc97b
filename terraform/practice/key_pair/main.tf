# A key pair to log in to instances with.

terraform {
  required_providers {
    practice = {
      source = "practice.appliance.local/appliance/practice"
    }
  }
}

resource "practice_key_pair" "this" {
  name      = var.name
  algorithm = var.algorithm
}
