variable "name" {
  type        = string
  description = "Name."
}

variable "description" {
  type        = string
  description = "Description."
  default     = null
}

variable "size" {
  type        = number
  description = "Size in GiB."
  default     = 20
}

variable "category" {
  type        = string
  description = "Category of the disk."
  default     = "cloud_efficiency"
}

variable "zone" {
  type        = string
  description = "Zone; left out: the first that has such disks."
  default     = null
}

variable "tags" {
  type        = map(string)
  description = "Tags."
  default     = null
}
