output "id" {
  value = aws_subnet.this.id
}

output "name" {
  value = var.name
}
