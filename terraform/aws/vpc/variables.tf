variable "name" {
  type        = string
  description = "Name."
}

variable "cidr" {
  type        = string
  description = "Address range."
  default     = "10.0.0.0/16"
}

variable "enable_dns_hostnames" {
  type        = bool
  description = "Whether instances get DNS names."
  default     = true
}

variable "tags" {
  type        = map(string)
  description = "Tags."
  default     = null
}
