variable "name" {
  type        = string
  description = "Policy name, such as example."
}

variable "weekdays" {
  type        = list(string)
  description = "Days: any of monday, tuesday, wednesday, thursday, friday, saturday, sunday."
  default     = ["monday"]
}

variable "time" {
  type        = string
  description = "Start time."
  default     = null
}

variable "retention" {
  type        = number
  description = "Keep for, from 1 to 365."
  default     = null
}

variable "disks" {
  type        = list(string)
  description = "Disks, by id."
  default     = null
}

variable "state" {
  type        = string
  description = "What it is brought to after it was made: active or paused."
  default     = null
}
