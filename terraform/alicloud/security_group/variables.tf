variable "name" {
  type        = string
  description = "Name."
}

variable "vpc" {
  type        = string
  description = "VPC, by id."
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
