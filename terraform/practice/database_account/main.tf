# An account of a database, which may read.

terraform {
  required_providers {
    practice = {
      source = "practice.appliance.local/appliance/practice"
    }
  }
}

resource "practice_database_account" "this" {
  database   = var.database
  name       = var.name
  password   = var.password
  privileges = var.privileges
  note       = var.note
  state      = var.state
}
