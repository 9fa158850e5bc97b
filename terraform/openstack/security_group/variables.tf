variable "name" {
  type        = string
  description = "Name."
}

variable "description" {
  type        = string
  description = "Description."
  default     = null
}
