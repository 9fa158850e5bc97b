output "id" {
  value = practice_alarm.this.id
}

output "name" {
  value = practice_alarm.this.name
}
