variable "name" {
  type        = string
  description = "Dashboard name, such as example."
}

variable "period" {
  type        = string
  description = "Time span: hour, day, week or month."
  default     = null
}

variable "layout" {
  type        = string
  description = "Layout."
  default     = null
}
