# A private load balancer without listeners.

terraform {
  required_providers {
    alicloud = {
      source = "aliyun/alicloud"
    }
  }
}

resource "alicloud_slb_load_balancer" "this" {
  load_balancer_name   = var.name
  address_type         = "intranet"
  vswitch_id           = var.vswitch
  load_balancer_spec   = var.size
  instance_charge_type = "PayBySpec"
  tags                 = var.tags
}
