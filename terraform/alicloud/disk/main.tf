# An empty pay-as-you-go disk of 20 GiB.

terraform {
  required_providers {
    alicloud = {
      source = "aliyun/alicloud"
    }
  }
}

data "alicloud_zones" "this" {
  available_disk_category = var.category
}

resource "alicloud_ecs_disk" "this" {
  disk_name   = var.name
  description = var.description
  size        = var.size
  category    = var.category
  zone_id     = coalesce(var.zone, data.alicloud_zones.this.zones[0].id)
  tags        = var.tags
}
