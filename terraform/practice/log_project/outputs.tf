output "id" {
  value = practice_log_project.this.id
}

output "name" {
  value = practice_log_project.this.name
}

output "endpoint" {
  value = practice_log_project.this.endpoint
}
