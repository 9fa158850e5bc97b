# A public address that is bound to nothing yet.

terraform {
  required_providers {
    practice = {
      source = "practice.appliance.local/appliance/practice"
    }
  }
}

resource "practice_elastic_address" "this" {
  name      = var.name
  billing   = var.billing
  bandwidth = var.bandwidth
  instance  = var.instance
  state     = var.state
}
