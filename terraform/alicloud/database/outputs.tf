output "id" {
  value = alicloud_db_instance.this.id
}

output "name" {
  value = alicloud_db_instance.this.instance_name
}

output "host" {
  value = alicloud_db_instance.this.connection_string
}
