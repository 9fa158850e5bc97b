output "id" {
  value = practice_dashboard.this.id
}

output "name" {
  value = practice_dashboard.this.name
}
