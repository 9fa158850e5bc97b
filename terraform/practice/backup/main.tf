# A full backup of a database.

terraform {
  required_providers {
    practice = {
      source = "practice.appliance.local/appliance/practice"
    }
  }
}

resource "practice_backup" "this" {
  database = var.database
  name     = var.name
  method   = var.method
  keep     = var.keep
  note     = var.note
}
