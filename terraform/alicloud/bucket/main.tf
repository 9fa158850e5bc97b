# An empty private OSS bucket.

terraform {
  required_providers {
    alicloud = {
      source = "aliyun/alicloud"
    }
  }
}

resource "alicloud_oss_bucket" "this" {
  bucket        = var.name
  storage_class = var.storage_class
  force_destroy = var.force_destroy
  tags          = var.tags
}
