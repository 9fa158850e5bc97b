output "id" {
  value = practice_user.this.id
}

output "name" {
  value = practice_user.this.name
}
