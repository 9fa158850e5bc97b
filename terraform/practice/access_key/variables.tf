variable "user" {
  type        = string
  description = "User, by id."
}

variable "name" {
  type        = string
  description = "Key name, such as example."
}

variable "purpose" {
  type        = string
  description = "Purpose: tool, application or pipeline."
  default     = null
}

variable "expires" {
  type        = string
  description = "Expires on."
  default     = null
}

variable "state" {
  type        = string
  description = "What it is brought to after it was made: active or disabled."
  default     = null
}
