output "id" {
  value = aws_db_instance.this.identifier
}

output "name" {
  value = aws_db_instance.this.identifier
}

output "host" {
  value = aws_db_instance.this.address
}
