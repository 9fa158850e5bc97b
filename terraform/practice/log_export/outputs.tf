output "id" {
  value = practice_log_export.this.id
}

output "name" {
  value = practice_log_export.this.name
}
