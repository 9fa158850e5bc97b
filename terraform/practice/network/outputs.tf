output "id" {
  value = practice_network.this.id
}

output "name" {
  value = practice_network.this.name
}
