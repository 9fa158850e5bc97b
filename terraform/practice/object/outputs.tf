output "id" {
  value = practice_object.this.id
}

output "name" {
  value = practice_object.this.name
}

output "address" {
  value = practice_object.this.address
}
