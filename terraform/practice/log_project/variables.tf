variable "name" {
  type        = string
  description = "Project name, such as example-project."
}

variable "description" {
  type        = string
  description = "Description."
  default     = null
}

variable "owner" {
  type        = string
  description = "Owner, by id."
  default     = null
}

variable "tags" {
  type        = map(string)
  description = "Tags."
  default     = null
}
