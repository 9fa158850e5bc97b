output "id" {
  value = aws_eip.this.id
}

output "name" {
  value = var.name
}

output "address" {
  value = aws_eip.this.public_ip
}
