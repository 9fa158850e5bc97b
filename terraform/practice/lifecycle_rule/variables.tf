variable "bucket" {
  type        = string
  description = "Bucket, by id."
}

variable "name" {
  type        = string
  description = "Rule name, such as example."
}

variable "prefix" {
  type        = string
  description = "Prefix."
  default     = null
}

variable "action" {
  type        = string
  description = "What to do: infrequent, archive or delete."
  default     = null
}

variable "days" {
  type        = number
  description = "After, from 1 to 3650."
  default     = null
}

variable "state" {
  type        = string
  description = "What it is brought to after it was made: enabled or disabled."
  default     = null
}
