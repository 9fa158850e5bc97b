# A group of users without policies.

terraform {
  required_providers {
    practice = {
      source = "practice.appliance.local/appliance/practice"
    }
  }
}

resource "practice_group" "this" {
  name        = var.name
  description = var.description
  policies    = var.policies
}
