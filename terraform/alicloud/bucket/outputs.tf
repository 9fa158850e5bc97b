output "id" {
  value = alicloud_oss_bucket.this.id
}

output "name" {
  value = alicloud_oss_bucket.this.bucket
}
