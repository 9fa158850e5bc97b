# A log store that collects, in a project.

terraform {
  required_providers {
    practice = {
      source = "practice.appliance.local/appliance/practice"
    }
  }
}

resource "practice_log_store" "this" {
  project    = var.project
  name       = var.name
  retention  = var.retention
  shards     = var.shards
  indexed    = var.indexed
  separators = var.separators
  state      = var.state
}
