output "id" {
  value = practice_security_rule.this.id
}

output "name" {
  value = practice_security_rule.this.id
}
