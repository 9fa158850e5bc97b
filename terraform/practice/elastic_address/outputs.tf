output "id" {
  value = practice_elastic_address.this.id
}

output "name" {
  value = practice_elastic_address.this.name
}

output "address" {
  value = practice_elastic_address.this.address
}
