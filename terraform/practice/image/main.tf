# An image of one's own, made from an instance.

terraform {
  required_providers {
    practice = {
      source = "practice.appliance.local/appliance/practice"
    }
  }
}

resource "practice_image" "this" {
  instance    = var.instance
  name        = var.name
  description = var.description
  family      = var.family
}
