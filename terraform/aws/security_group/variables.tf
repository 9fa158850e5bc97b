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
  description = "Description; it cannot be changed later."
  default     = "Made for a documented procedure"
}

variable "tags" {
  type        = map(string)
  description = "Tags."
  default     = null
}
