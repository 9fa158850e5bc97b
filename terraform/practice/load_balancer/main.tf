# A load balancer without listeners.

terraform {
  required_providers {
    practice = {
      source = "practice.appliance.local/appliance/practice"
    }
  }
}

resource "practice_load_balancer" "this" {
  name           = var.name
  scheme         = var.scheme
  class          = var.class
  network        = var.network
  subnet         = var.subnet
  timeout        = var.timeout
  probe_path     = var.probe_path
  probe_interval = var.probe_interval
  tags           = var.tags
  state          = var.state
}
