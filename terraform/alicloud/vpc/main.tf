# A VPC without vSwitches.

terraform {
  required_providers {
    alicloud = {
      source = "aliyun/alicloud"
    }
  }
}

resource "alicloud_vpc" "this" {
  vpc_name    = var.name
  description = var.description
  cidr_block  = var.cidr
  tags        = var.tags
}
