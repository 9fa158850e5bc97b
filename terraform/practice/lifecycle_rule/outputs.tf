output "id" {
  value = practice_lifecycle_rule.this.id
}

output "name" {
  value = practice_lifecycle_rule.this.name
}
