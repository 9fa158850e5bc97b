variable "name" {
  type        = string
  description = "Name."
}

variable "path" {
  type        = string
  description = "Path."
  default     = "/"
}

variable "tags" {
  type        = map(string)
  description = "Tags."
  default     = null
}
