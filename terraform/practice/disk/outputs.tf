output "id" {
  value = practice_disk.this.id
}

output "name" {
  value = practice_disk.this.name
}
