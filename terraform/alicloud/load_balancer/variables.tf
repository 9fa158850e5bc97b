variable "name" {
  type        = string
  description = "Name."
}

variable "vpc" {
  type        = string
  description = "VPC, by id: where one is made unasked, so is the vSwitch in it."
}

variable "vswitch" {
  type        = string
  description = "VSwitch, by id."
}

variable "size" {
  type        = string
  description = "Specification."
  default     = "slb.s2.small"
}

variable "tags" {
  type        = map(string)
  description = "Tags."
  default     = null
}
