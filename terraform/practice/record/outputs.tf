output "id" {
  value = practice_record.this.id
}

output "name" {
  value = practice_record.this.name
}
