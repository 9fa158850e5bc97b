output "id" {
  value = alicloud_vpc.this.id
}

output "name" {
  value = alicloud_vpc.this.vpc_name
}
