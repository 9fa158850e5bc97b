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
  default     = null
}

variable "window" {
  type        = string
  description = "Within: 1m, 5m, 15m or 1h."
  default     = null
}

variable "severity" {
  type        = string
  description = "Severity: notice, warning or critical."
  default     = null
}

variable "channels" {
  type        = list(string)
  description = "Tell by: any of mail, text, hook."
  default     = null
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
