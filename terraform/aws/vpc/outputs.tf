output "id" {
  value = aws_vpc.this.id
}

output "name" {
  value = var.name
}
