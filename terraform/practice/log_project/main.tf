# An empty project for logs.

terraform {
  required_providers {
    practice = {
      source = "practice.appliance.local/appliance/practice"
    }
  }
}

resource "practice_log_project" "this" {
  name        = var.name
  description = var.description
  owner       = var.owner
  tags        = var.tags
}
