output "id" {
  value = practice_database_account.this.id
}

output "name" {
  value = practice_database_account.this.name
}
