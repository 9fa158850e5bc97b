# An object with a short text in a bucket.

terraform {
  required_providers {
    practice = {
      source = "practice.appliance.local/appliance/practice"
    }
  }
}

resource "practice_object" "this" {
  bucket    = var.bucket
  file      = base64encode(var.content)
  file_name = var.file_name
  name      = var.name
  class     = var.class
  encrypted = var.encrypted
  tags      = var.tags
}
