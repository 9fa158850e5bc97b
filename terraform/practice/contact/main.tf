# A contact that alarms can be sent to, not confirmed yet.

terraform {
  required_providers {
    practice = {
      source = "practice.appliance.local/appliance/practice"
    }
  }
}

resource "practice_contact" "this" {
  name     = var.name
  email    = var.email
  language = var.language
  phone    = var.phone
  state    = var.state
}
