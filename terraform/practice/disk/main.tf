# A disk that can be attached to an instance.

terraform {
  required_providers {
    practice = {
      source = "practice.appliance.local/appliance/practice"
    }
  }
}

resource "practice_disk" "this" {
  name      = var.name
  zone      = var.zone
  type      = var.type
  size      = var.size
  snapshot  = var.snapshot
  encrypted = var.encrypted
  instance  = var.instance
  cleanup   = var.cleanup
  tags      = var.tags
  state     = var.state
}
