# A group of parameters that databases can use.

terraform {
  required_providers {
    practice = {
      source = "practice.appliance.local/appliance/practice"
    }
  }
}

resource "practice_parameter_group" "this" {
  name           = var.name
  engine         = var.engine
  note           = var.note
  connections    = var.connections
  slow_query     = var.slow_query
  timezone       = var.timezone
  case_sensitive = var.case_sensitive
}
