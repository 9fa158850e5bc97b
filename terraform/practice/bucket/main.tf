# An empty private bucket for objects.

terraform {
  required_providers {
    practice = {
      source = "practice.appliance.local/appliance/practice"
    }
  }
}

resource "practice_bucket" "this" {
  name       = var.name
  class      = var.class
  access     = var.access
  versioning = var.versioning
  policy     = var.policy
  tags       = var.tags
}
