output "id" {
  value = aws_s3_bucket.this.id
}

output "name" {
  value = aws_s3_bucket.this.bucket
}
