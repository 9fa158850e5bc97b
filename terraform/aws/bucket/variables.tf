variable "name" {
  type        = string
  description = "Name."
}

variable "force_destroy" {
  type        = bool
  description = "Whether objects in it are deleted with it."
  default     = true
}

variable "tags" {
  type        = map(string)
  description = "Tags."
  default     = null
}
