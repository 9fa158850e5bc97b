variable "name" {
  type        = string
  description = "Contact name, such as example."
}

variable "email" {
  type        = string
  description = "E-mail address, such as ops@example.com."
  default     = "ops@example.com"
}

variable "language" {
  type        = string
  description = "Language of messages: english or chinese."
  default     = null
}

variable "phone" {
  type        = string
  description = "Phone number."
  default     = null
}

variable "state" {
  type        = string
  description = "What it is brought to after it was made: unconfirmed or confirmed."
  default     = null
}
