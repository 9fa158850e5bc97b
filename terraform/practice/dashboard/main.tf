# A dashboard without charts.

terraform {
  required_providers {
    practice = {
      source = "practice.appliance.local/appliance/practice"
    }
  }
}

resource "practice_dashboard" "this" {
  name   = var.name
  period = var.period
  layout = var.layout
}
