output "id" {
  value = practice_load_balancer.this.id
}

output "name" {
  value = practice_load_balancer.this.name
}

output "address" {
  value = practice_load_balancer.this.address
}
