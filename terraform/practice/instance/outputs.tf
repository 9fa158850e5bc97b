output "id" {
  value = practice_instance.this.id
}

output "name" {
  value = practice_instance.this.name
}
