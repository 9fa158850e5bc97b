# A user without access to the console.

terraform {
  required_providers {
    practice = {
      source = "practice.appliance.local/appliance/practice"
    }
  }
}

resource "practice_user" "this" {
  name           = var.name
  display_name   = var.display_name
  email          = var.email
  console_access = var.console_access
  password       = var.console_access ? var.password : null
  groups         = var.groups
  valid_until    = var.valid_until
  tags           = var.tags
  state          = var.state
}
