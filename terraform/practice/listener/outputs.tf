output "id" {
  value = practice_listener.this.id
}

output "name" {
  value = practice_listener.this.name
}
