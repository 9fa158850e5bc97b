# A security group without rules.

terraform {
  required_providers {
    practice = {
      source = "practice.appliance.local/appliance/practice"
    }
  }
}

resource "practice_security_group" "this" {
  name        = var.name
  description = var.description
  policy      = var.policy
  tags        = var.tags
}
