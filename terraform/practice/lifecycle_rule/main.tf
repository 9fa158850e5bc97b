# A rule that moves or deletes the objects of a bucket after some days.

terraform {
  required_providers {
    practice = {
      source = "practice.appliance.local/appliance/practice"
    }
  }
}

resource "practice_lifecycle_rule" "this" {
  bucket = var.bucket
  name   = var.name
  prefix = var.prefix
  action = var.action
  days   = var.days
  state  = var.state
}
