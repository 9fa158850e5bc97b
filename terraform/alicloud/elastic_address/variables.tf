variable "name" {
  type        = string
  description = "Name."
}

variable "description" {
  type        = string
  description = "Description."
  default     = null
}

variable "bandwidth" {
  type        = number
  description = "Bandwidth in Mbit/s."
  default     = 1
}

variable "billing" {
  type        = string
  description = "Charged by: PayByBandwidth or PayByTraffic."
  default     = "PayByTraffic"
}

variable "tags" {
  type        = map(string)
  description = "Tags."
  default     = null
}
