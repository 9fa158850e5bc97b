output "id" {
  value = alicloud_ecs_disk.this.id
}

output "name" {
  value = alicloud_ecs_disk.this.disk_name
}
