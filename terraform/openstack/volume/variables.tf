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
  default     = 1
}

variable "volume_type" {
  type        = string
  description = "Volume type; left out: as the cloud has it."
  default     = null
}

variable "image" {
  type        = string
  description = "Image that is copied to it, by id."
  default     = null
}

variable "availability_zone" {
  type        = string
  description = "Availability zone; left out: as the cloud has it."
  default     = null
}
