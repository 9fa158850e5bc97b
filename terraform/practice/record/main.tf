# A record of a zone that leads to an address.

terraform {
  required_providers {
    practice = {
      source = "practice.appliance.local/appliance/practice"
    }
  }
}

resource "practice_record" "this" {
  zone     = var.zone
  name     = var.name
  type     = var.type
  value    = var.value
  priority = var.priority
  ttl      = var.ttl
  line     = var.line
  state    = var.state
}
