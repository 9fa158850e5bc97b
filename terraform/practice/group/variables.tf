variable "name" {
  type        = string
  description = "Group name, such as example."
}

variable "description" {
  type        = string
  description = "Description."
  default     = null
}

variable "policies" {
  type        = list(string)
  description = "Policies, by id."
  default     = null
}
