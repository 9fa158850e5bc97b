output "id" {
  value = practice_log_alert.this.id
}

output "name" {
  value = practice_log_alert.this.name
}
