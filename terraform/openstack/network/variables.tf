variable "name" {
  type        = string
  description = "Name."
}

variable "description" {
  type        = string
  description = "Description."
  default     = null
}

variable "admin_state_up" {
  type        = bool
  description = "Whether it is up."
  default     = true
}

variable "mtu" {
  type        = number
  description = "Largest packet, in bytes; left out: as the cloud has it."
  default     = null
}

variable "tags" {
  type        = list(string)
  description = "Tags."
  default     = null
}
