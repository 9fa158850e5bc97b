# A security group of a VPC, without rules.

terraform {
  required_providers {
    alicloud = {
      source = "aliyun/alicloud"
    }
  }
}

resource "alicloud_security_group" "this" {
  security_group_name = var.name
  description         = var.description
  vpc_id              = var.vpc
  tags                = var.tags
}
