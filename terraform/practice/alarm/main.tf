# An alarm over the processor use of all instances.

terraform {
  required_providers {
    practice = {
      source = "practice.appliance.local/appliance/practice"
    }
  }
}

resource "practice_alarm" "this" {
  name       = var.name
  instance   = var.instance
  metric     = var.metric
  comparison = var.comparison
  threshold  = var.threshold
  periods    = var.periods
  severity   = var.severity
  contacts   = var.contacts
  tags       = var.tags
  state      = var.state
}
