output "id" {
  value = alicloud_eip_address.this.id
}

output "name" {
  value = alicloud_eip_address.this.address_name
}

output "address" {
  value = alicloud_eip_address.this.ip_address
}
