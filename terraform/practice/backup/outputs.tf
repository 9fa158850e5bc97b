output "id" {
  value = practice_backup.this.id
}

output "name" {
  value = practice_backup.this.name
}
