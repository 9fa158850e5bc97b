# A pay-as-you-go elastic address that is bound to nothing yet.

terraform {
  required_providers {
    alicloud = {
      source = "aliyun/alicloud"
    }
  }
}

resource "alicloud_eip_address" "this" {
  address_name         = var.name
  description          = var.description
  bandwidth            = tostring(var.bandwidth)
  internet_charge_type = var.billing
  payment_type         = "PayAsYouGo"
  tags                 = var.tags
}
