output "id" {
  value = practice_security_group.this.id
}

output "name" {
  value = practice_security_group.this.name
}
