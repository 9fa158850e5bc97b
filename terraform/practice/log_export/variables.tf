variable "store" {
  type        = string
  description = "Log store, by id."
}

variable "name" {
  type        = string
  description = "Task name, such as example."
}

variable "from_day" {
  type        = string
  description = "First day, such as 2025-11-01."
  default     = "2025-11-01"
}

variable "to_day" {
  type        = string
  description = "Last day, such as 2025-11-30."
  default     = "2025-11-30"
}

variable "bucket" {
  type        = string
  description = "Target bucket, by id."
}

variable "prefix" {
  type        = string
  description = "Folder."
  default     = null
}

variable "format" {
  type        = string
  description = "File format: json, csv or parquet."
  default     = "json"
}

variable "compression" {
  type        = string
  description = "Compression: none, gzip or zstd."
  default     = null
}
