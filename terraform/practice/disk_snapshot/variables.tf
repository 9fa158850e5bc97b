variable "disk" {
  type        = string
  description = "Disk, by id."
}

variable "name" {
  type        = string
  description = "Snapshot name, such as example."
}

variable "description" {
  type        = string
  description = "Description."
  default     = null
}

variable "retention" {
  type        = string
  description = "Keep: forever, week or month."
  default     = null
}
