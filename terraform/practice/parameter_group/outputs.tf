output "id" {
  value = practice_parameter_group.this.id
}

output "name" {
  value = practice_parameter_group.this.name
}
