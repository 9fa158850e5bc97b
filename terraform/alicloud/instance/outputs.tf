output "id" {
  value = alicloud_instance.this.id
}

output "name" {
  value = alicloud_instance.this.instance_name
}

output "address" {
  value = alicloud_instance.this.primary_ip_address
}
