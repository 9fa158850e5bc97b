output "id" {
  value = alicloud_security_group.this.id
}

output "name" {
  value = alicloud_security_group.this.security_group_name
}
