variable "name" {
  type        = string
  description = "Title, such as example."
}

variable "date" {
  type        = string
  description = "Date, such as 2027-01-15."
  default     = "2027-01-15"
}

variable "start" {
  type        = string
  description = "Start."
  default     = null
}

variable "hours" {
  type        = number
  description = "Duration, from 1 to 12."
  default     = null
}

variable "repeat" {
  type        = string
  description = "Repeat: never, weekly or monthly."
  default     = "never"
}

variable "until" {
  type        = string
  description = "Last date, such as 2027-12-31."
  default     = "2027-12-31"
}

variable "alarms" {
  type        = list(string)
  description = "Silenced alarms, by id."
  default     = null
}

variable "state" {
  type        = string
  description = "What it is brought to after it was made: planned or cancelled."
  default     = null
}
