# A vSwitch of a VPC, in the first zone that takes one.

terraform {
  required_providers {
    alicloud = {
      source = "aliyun/alicloud"
    }
  }
}

data "alicloud_zones" "this" {
  available_resource_creation = "VSwitch"
}

resource "alicloud_vswitch" "this" {
  vswitch_name = var.name
  description  = var.description
  vpc_id       = var.vpc
  cidr_block   = var.cidr
  zone_id      = coalesce(var.zone, data.alicloud_zones.this.zones[0].id)
  tags         = var.tags
}
