variable "name" {
  type        = string
  description = "Name."
}

variable "network" {
  type        = string
  description = "Network, by id."
}

variable "cidr" {
  type        = string
  description = "Address range."
  default     = "10.88.0.0/24"
}

variable "gateway" {
  type        = string
  description = "Address of the gateway; left out: the first of the range."
  default     = null
}

variable "enable_dhcp" {
  type        = bool
  description = "Whether addresses are given out by DHCP."
  default     = true
}

variable "dns_nameservers" {
  type        = list(string)
  description = "Name servers."
  default     = null
}
