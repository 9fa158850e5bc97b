# A policy that takes snapshots of disks on some days of the week.

terraform {
  required_providers {
    practice = {
      source = "practice.appliance.local/appliance/practice"
    }
  }
}

resource "practice_snapshot_policy" "this" {
  name      = var.name
  weekdays  = var.weekdays
  time      = var.time
  retention = var.retention
  disks     = var.disks
  state     = var.state
}
