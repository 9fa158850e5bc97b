# A policy that allows to read everything.

terraform {
  required_providers {
    practice = {
      source = "practice.appliance.local/appliance/practice"
    }
  }
}

resource "practice_policy" "this" {
  name        = var.name
  description = var.description
  document    = var.document
}
