output "id" {
  value = openstack_compute_keypair_v2.this.id
}

output "name" {
  value = openstack_compute_keypair_v2.this.name
}

output "fingerprint" {
  value = openstack_compute_keypair_v2.this.fingerprint
}
