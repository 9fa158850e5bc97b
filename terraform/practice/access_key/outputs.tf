output "id" {
  value = practice_access_key.this.id
}

output "name" {
  value = practice_access_key.this.name
}

output "key_id" {
  value = practice_access_key.this.key_id
}
