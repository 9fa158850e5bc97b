variable "pool" {
  type        = string
  description = "Name of the external network that it is of."
  default     = "public"
}

variable "description" {
  type        = string
  description = "Description."
  default     = null
}
