# A zone for the records of a domain.

terraform {
  required_providers {
    practice = {
      source = "practice.appliance.local/appliance/practice"
    }
  }
}

resource "practice_zone" "this" {
  name        = var.name
  visibility  = var.visibility
  description = var.description
  state       = var.state
}
