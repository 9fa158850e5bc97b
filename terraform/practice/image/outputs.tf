output "id" {
  value = practice_image.this.id
}

output "name" {
  value = practice_image.this.name
}
