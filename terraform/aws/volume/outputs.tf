output "id" {
  value = aws_ebs_volume.this.id
}

output "name" {
  value = var.name
}
