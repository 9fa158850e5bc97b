variable "name" {
  type        = string
  description = "Alarm name, such as example."
}

variable "instance" {
  type        = string
  description = "Watched instance, by id."
  default     = null
}

variable "metric" {
  type        = string
  description = "Metric: cpu, memory, disk-read or traffic-out."
  default     = "cpu"
}

variable "comparison" {
  type        = string
  description = "Comparison: above or below."
  default     = null
}

variable "threshold" {
  type        = number
  description = "Threshold, from 0 to 100000."
  default     = null
}

variable "periods" {
  type        = number
  description = "Consecutive periods, from 1 to 10."
  default     = null
}

variable "severity" {
  type        = string
  description = "Severity: info, warning or critical."
  default     = null
}

variable "contacts" {
  type        = list(string)
  description = "Contacts, by id."
  default     = null
}

variable "tags" {
  type        = map(string)
  description = "Tags."
  default     = null
}

variable "state" {
  type        = string
  description = "What it is brought to after it was made: enabled or disabled."
  default     = null
}
