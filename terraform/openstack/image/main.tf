# A private image of 1 KiB, from which nothing boots.

terraform {
  required_providers {
    openstack = {
      source = "terraform-provider-openstack/openstack"
    }
  }
}

resource "openstack_images_image_v2" "this" {
  name             = var.name
  local_file_path  = coalesce(var.file, "${path.module}/blank.raw")
  container_format = "bare"
  disk_format      = var.disk_format
  visibility       = var.visibility
  min_disk_gb      = var.min_disk
  min_ram_mb       = var.min_ram
}
