variable "name" {
  type        = string
  description = "Bucket name, such as example-bucket."
}

variable "class" {
  type        = string
  description = "Storage class: standard, infrequent or archive."
  default     = null
}

variable "access" {
  type        = string
  description = "Access control: private, public-read or public-read-write."
  default     = null
}

variable "versioning" {
  type        = bool
  description = "Versioning."
  default     = null
}

variable "policy" {
  type        = string
  description = "Policy document."
  default     = null
}

variable "tags" {
  type        = map(string)
  description = "Tags."
  default     = null
}
