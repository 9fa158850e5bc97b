variable "name" {
  type        = string
  description = "Address name, such as example."
}

variable "billing" {
  type        = string
  description = "Billing: bandwidth or traffic."
  default     = null
}

variable "bandwidth" {
  type        = number
  description = "Bandwidth, from 1 to 200."
  default     = null
}

variable "instance" {
  type        = string
  description = "Instance, by id."
  default     = null
}

variable "state" {
  type        = string
  description = "What it is brought to after it was made: available or in-use."
  default     = null
}
