output "id" {
  value = practice_log_store.this.id
}

output "name" {
  value = practice_log_store.this.name
}
