output "id" {
  value = practice_maintenance_window.this.id
}

output "name" {
  value = practice_maintenance_window.this.name
}
