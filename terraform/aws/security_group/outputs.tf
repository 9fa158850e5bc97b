output "id" {
  value = aws_security_group.this.id
}

output "name" {
  value = aws_security_group.this.name
}
