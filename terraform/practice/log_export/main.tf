# A task that exports the logs of some days to a bucket.

terraform {
  required_providers {
    practice = {
      source = "practice.appliance.local/appliance/practice"
    }
  }
}

resource "practice_log_export" "this" {
  store       = var.store
  name        = var.name
  from_day    = var.from_day
  to_day      = var.to_day
  bucket      = var.bucket
  prefix      = var.prefix
  format      = var.format
  compression = var.compression
}
