output "id" {
  value = practice_disk_snapshot.this.id
}

output "name" {
  value = practice_disk_snapshot.this.name
}
