output "id" {
  value = practice_bucket.this.id
}

output "name" {
  value = practice_bucket.this.name
}
