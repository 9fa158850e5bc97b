# An alert over the logs of a log store.

terraform {
  required_providers {
    practice = {
      source = "practice.appliance.local/appliance/practice"
    }
  }
}

resource "practice_log_alert" "this" {
  store       = var.store
  name        = var.name
  query       = var.query
  threshold   = var.threshold
  window      = var.window
  severity    = var.severity
  channels    = var.channels
  quiet_from  = var.quiet_from
  quiet_until = var.quiet_until
  state       = var.state
}
