# A rule of a security group that lets traffic through to a port.

terraform {
  required_providers {
    practice = {
      source = "practice.appliance.local/appliance/practice"
    }
  }
}

resource "practice_security_rule" "this" {
  group       = var.group
  direction   = var.direction
  protocol    = var.protocol
  ports       = contains(["tcp", "udp"], var.protocol) ? var.ports : null
  source      = var.security_rule_source
  priority    = var.priority
  description = var.description
}
