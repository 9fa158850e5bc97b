output "id" {
  value = openstack_images_image_v2.this.id
}

output "name" {
  value = openstack_images_image_v2.this.name
}
