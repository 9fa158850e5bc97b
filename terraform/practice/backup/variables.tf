variable "database" {
  type        = string
  description = "Database, by id."
}

variable "name" {
  type        = string
  description = "Backup name, such as example."
}

variable "method" {
  type        = string
  description = "Method: full or incremental."
  default     = null
}

variable "keep" {
  type        = number
  description = "Keep for, from 1 to 365."
  default     = null
}

variable "note" {
  type        = string
  description = "Remark."
  default     = null
}
