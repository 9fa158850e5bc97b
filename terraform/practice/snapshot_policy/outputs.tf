output "id" {
  value = practice_snapshot_policy.this.id
}

output "name" {
  value = practice_snapshot_policy.this.name
}
