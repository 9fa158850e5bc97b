output "id" {
  value = practice_zone.this.id
}

output "name" {
  value = practice_zone.this.name
}

output "server" {
  value = practice_zone.this.server
}
