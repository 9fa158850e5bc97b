variable "name" {
  type        = string
  description = "User name, such as example."
}

variable "display_name" {
  type        = string
  description = "Display name."
  default     = null
}

variable "email" {
  type        = string
  description = "E-mail address."
  default     = null
}

variable "console_access" {
  type        = bool
  description = "Console access."
  default     = false
}

variable "password" {
  type        = string
  description = "Initial password, such as Example-Pass-2025."
  default     = "Example-Pass-2025"
  sensitive   = true
}

variable "groups" {
  type        = list(string)
  description = "Groups, by id."
  default     = null
}

variable "valid_until" {
  type        = string
  description = "Valid until."
  default     = null
}

variable "tags" {
  type        = map(string)
  description = "Tags."
  default     = null
}

variable "state" {
  type        = string
  description = "What it is brought to after it was made: active or suspended."
  default     = null
}
