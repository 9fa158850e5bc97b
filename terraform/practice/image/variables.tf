variable "instance" {
  type        = string
  description = "Source instance, by id."
}

variable "name" {
  type        = string
  description = "Image name, such as example."
}

variable "description" {
  type        = string
  description = "Description."
  default     = null
}

variable "family" {
  type        = string
  description = "Family."
  default     = null
}
