# A listener of a load balancer.

terraform {
  required_providers {
    practice = {
      source = "practice.appliance.local/appliance/practice"
    }
  }
}

resource "practice_listener" "this" {
  balancer    = var.balancer
  name        = var.name
  protocol    = var.protocol
  port        = var.port
  redirect    = var.redirect
  targets     = var.targets
  target_port = var.target_port
}
