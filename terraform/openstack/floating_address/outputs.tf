output "id" {
  value = openstack_networking_floatingip_v2.this.id
}

output "name" {
  value = openstack_networking_floatingip_v2.this.address
}
