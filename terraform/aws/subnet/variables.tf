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
  default     = "10.0.1.0/24"
}

variable "zone" {
  type        = string
  description = "Availability zone; left out: the first."
  default     = null
}

variable "public" {
  type        = bool
  description = "Whether instances in it get a public address."
  default     = false
}

variable "tags" {
  type        = map(string)
  description = "Tags."
  default     = null
}
