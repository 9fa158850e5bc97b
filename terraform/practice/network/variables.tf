variable "name" {
  type        = string
  description = "Name, such as example."
}

variable "description" {
  type        = string
  description = "Description."
  default     = null
}

variable "cidr" {
  type        = string
  description = "Address range, such as 10.0.0.0/16."
  default     = null
}

variable "dns" {
  type        = bool
  description = "Enable DNS host names."
  default     = null
}

variable "tags" {
  type        = map(string)
  description = "Tags."
  default     = null
}
