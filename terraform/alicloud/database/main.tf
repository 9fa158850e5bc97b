# A small pay-as-you-go MySQL instance of ApsaraDB RDS.

terraform {
  required_providers {
    alicloud = {
      source = "aliyun/alicloud"
    }
  }
}

data "alicloud_db_instance_classes" "this" {
  engine                   = var.engine
  engine_version           = var.engine_version
  category                 = "Basic"
  db_instance_storage_type = var.storage_type
  instance_charge_type     = "PostPaid"
}

resource "alicloud_db_instance" "this" {
  instance_name            = var.name
  engine                   = var.engine
  engine_version           = var.engine_version
  category                 = "Basic"
  instance_type            = data.alicloud_db_instance_classes.this.instance_classes[0].instance_class
  instance_storage         = data.alicloud_db_instance_classes.this.instance_classes[0].storage_range.min
  db_instance_storage_type = var.storage_type
  instance_charge_type     = "Postpaid"
  vswitch_id               = var.vswitch
  tags                     = var.tags
}
