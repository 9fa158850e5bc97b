output "id" {
  value = aws_instance.this.id
}

output "name" {
  value = var.name
}

output "address" {
  value = aws_instance.this.private_ip
}
