output "id" {
  value = practice_database.this.id
}

output "name" {
  value = practice_database.this.name
}

output "host" {
  value = practice_database.this.host
}
