output "id" {
  value = alicloud_slb_load_balancer.this.id
}

output "name" {
  value = alicloud_slb_load_balancer.this.load_balancer_name
}

output "address" {
  value = alicloud_slb_load_balancer.this.address
}
