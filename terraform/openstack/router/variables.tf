variable "name" {
  type        = string
  description = "Name."
}

variable "subnet" {
  type        = string
  description = "Subnet that it has an interface in, by id."
}

variable "external_network" {
  type        = string
  description = "External network that it leads to, by id; left out: none."
  default     = null
}

variable "admin_state_up" {
  type        = bool
  description = "Whether it is up."
  default     = true
}
