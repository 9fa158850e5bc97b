# A database instance in a subnet of its own.

terraform {
  required_providers {
    practice = {
      source = "practice.appliance.local/appliance/practice"
    }
  }
}

resource "practice_database" "this" {
  name               = var.name
  engine             = var.engine
  postgresql_version = var.postgresql_version
  mysql_version      = var.mysql_version
  class              = var.class
  storage            = var.storage
  standby            = var.standby
  network            = var.network
  subnet             = var.subnet
  admin              = var.admin
  password           = var.password
  parameters         = var.parameters
  retention          = var.retention
  maintenance_day    = var.maintenance_day
  maintenance_time   = var.maintenance_time
  tags               = var.tags
  state              = var.state
}
