variable "name" {
  type        = string
  description = "Name."
}

variable "vpc" {
  type        = string
  description = "VPC, by id."
}

variable "cidr" {
  type        = string
  description = "Address range."
  default     = "172.16.0.0/24"
}

variable "zone" {
  type        = string
  description = "Zone; left out: the first that takes one."
  default     = null
}

variable "description" {
  type        = string
  description = "Description."
  default     = null
}

variable "tags" {
  type        = map(string)
  description = "Tags."
  default     = null
}
