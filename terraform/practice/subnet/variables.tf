variable "network" {
  type        = string
  description = "Network, by id."
}

variable "name" {
  type        = string
  description = "Subnet name, such as example."
}

variable "cidr" {
  type        = string
  description = "Address range, such as 10.0.1.0/24."
  default     = "10.0.1.0/24"
}

variable "zone" {
  type        = string
  description = "Zone: zone-a, zone-b or zone-c."
  default     = null
}
