variable "name" {
  type        = string
  description = "Name."
}

variable "description" {
  type        = string
  description = "Description."
  default     = null
}

variable "cidr" {
  type        = string
  description = "Address range."
  default     = "172.16.0.0/16"
}

variable "tags" {
  type        = map(string)
  description = "Tags."
  default     = null
}
