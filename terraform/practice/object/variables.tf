variable "bucket" {
  type        = string
  description = "Bucket, by id."
}

variable "content" {
  type        = string
  description = "File: the text in it."
  default     = "practice"
}

variable "file_name" {
  type        = string
  description = "File, such as example.txt."
  default     = "example.txt"
}

variable "name" {
  type        = string
  description = "Object name, such as example.txt."
}

variable "class" {
  type        = string
  description = "Object class: standard, infrequent or archive."
  default     = null
}

variable "encrypted" {
  type        = bool
  description = "Encrypt the object."
  default     = null
}

variable "tags" {
  type        = map(string)
  description = "Tags."
  default     = null
}
