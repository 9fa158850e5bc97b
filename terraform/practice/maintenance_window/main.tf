# A planned maintenance window during which alarms are silent.

terraform {
  required_providers {
    practice = {
      source = "practice.appliance.local/appliance/practice"
    }
  }
}

resource "practice_maintenance_window" "this" {
  name   = var.name
  date   = var.date
  start  = var.start
  hours  = var.hours
  repeat = var.repeat
  until  = contains(["weekly", "monthly"], var.repeat) ? var.until : null
  alarms = var.alarms
  state  = var.state
}
