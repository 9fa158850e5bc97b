output "id" {
  value = openstack_blockstorage_volume_v3.this.id
}

output "name" {
  value = openstack_blockstorage_volume_v3.this.name
}
