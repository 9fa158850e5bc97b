output "id" {
  value = alicloud_vswitch.this.id
}

output "name" {
  value = alicloud_vswitch.this.vswitch_name
}

output "zone" {
  value = alicloud_vswitch.this.zone_id
}
