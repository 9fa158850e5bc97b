output "id" {
  value = practice_contact.this.id
}

output "name" {
  value = practice_contact.this.name
}
