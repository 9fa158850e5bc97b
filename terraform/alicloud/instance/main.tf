# A running pay-as-you-go ECS instance without a public address.

terraform {
  required_providers {
    alicloud = {
      source = "aliyun/alicloud"
    }
  }
}

data "alicloud_images" "this" {
  owners        = "system"
  name_regex    = "^ubuntu_"
  instance_type = var.size
  most_recent   = true
}

resource "alicloud_instance" "this" {
  instance_name        = var.name
  instance_type        = var.size
  image_id             = coalesce(var.image, data.alicloud_images.this.images[0].id)
  system_disk_category = var.disk_category
  vswitch_id           = var.vswitch
  security_groups      = var.security_groups
  key_name             = var.key_pair
  user_data            = var.user_data
  tags                 = var.tags
}
