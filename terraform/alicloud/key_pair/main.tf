# An SSH key pair to log in to instances with.

terraform {
  required_providers {
    alicloud = {
      source = "aliyun/alicloud"
    }
  }
}

resource "alicloud_ecs_key_pair" "this" {
  key_pair_name = var.name
  public_key    = var.public_key
  tags          = var.tags
}
