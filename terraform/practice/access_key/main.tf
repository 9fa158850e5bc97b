# An access key of a user, for programs.

terraform {
  required_providers {
    practice = {
      source = "practice.appliance.local/appliance/practice"
    }
  }
}

resource "practice_access_key" "this" {
  user    = var.user
  name    = var.name
  purpose = var.purpose
  expires = var.expires
  state   = var.state
}
