# A snapshot of a disk.

terraform {
  required_providers {
    practice = {
      source = "practice.appliance.local/appliance/practice"
    }
  }
}

resource "practice_disk_snapshot" "this" {
  disk        = var.disk
  name        = var.name
  description = var.description
  retention   = var.retention
}
