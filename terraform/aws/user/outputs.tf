output "id" {
  value = aws_iam_user.this.id
}

output "name" {
  value = aws_iam_user.this.name
}
