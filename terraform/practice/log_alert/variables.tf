variable "store" {
  type        = string
  description = "Log store, by id."
}

variable "name" {
  type        = string
  description = "Alert name, such as example."
}

variable "query" {
  type        = string
  description = "Query, such as level=error."
  default     = "level=error"
}

variable "threshold" {
  type        = number
  description = "More than, from 1 to 1000."
  default     = 10
}

variable "window" {
  type        = string
  description = "Within: 1m, 5m, 15m or 1h."
  default     = "5m"
}

variable "severity" {
  type        = string
  description = "Severity: notice, warning or critical."
  default     = "warning"
}

variable "channels" {
  type        = list(string)
  description = "Tell by: any of mail, text, hook."
  default     = ["mail"]
}

variable "quiet_from" {
  type        = string
  description = "Quiet from."
  default     = null
}

variable "quiet_until" {
  type        = string
  description = "Quiet until."
  default     = null
}

variable "state" {
  type        = string
  description = "What it is brought to after it was made: watching or muted."
  default     = null
}
