variable "name" {
  type        = string
  description = "Group name, such as example."
}

variable "engine" {
  type        = string
  description = "For engine: postgresql or mysql."
  default     = null
}

variable "note" {
  type        = string
  description = "Description."
  default     = null
}

variable "connections" {
  type        = number
  description = "Maximum connections, from 10 to 5000."
  default     = null
}

variable "slow_query" {
  type        = number
  description = "Slow query threshold, from 1 to 60000."
  default     = null
}

variable "timezone" {
  type        = string
  description = "Time zone: utc, europe-oslo, europe-berlin, asia-shanghai or america-new-york."
  default     = null
}

variable "case_sensitive" {
  type        = bool
  description = "Distinguish upper and lower case in table names."
  default     = null
}
