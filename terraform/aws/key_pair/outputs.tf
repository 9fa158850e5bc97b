output "id" {
  value = aws_key_pair.this.id
}

output "name" {
  value = aws_key_pair.this.key_name
}

output "fingerprint" {
  value = aws_key_pair.this.fingerprint
}
