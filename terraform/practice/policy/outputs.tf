output "id" {
  value = practice_policy.this.id
}

output "name" {
  value = practice_policy.this.name
}
