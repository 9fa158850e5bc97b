output "id" {
  value = practice_subnet.this.id
}

output "name" {
  value = practice_subnet.this.name
}
