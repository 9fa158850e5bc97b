output "id" {
  value = practice_group.this.id
}

output "name" {
  value = practice_group.this.name
}
