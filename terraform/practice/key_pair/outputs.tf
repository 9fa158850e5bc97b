output "id" {
  value = practice_key_pair.this.id
}

output "name" {
  value = practice_key_pair.this.name
}

output "fingerprint" {
  value = practice_key_pair.this.fingerprint
}
