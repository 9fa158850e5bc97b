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

variable "engine" {
  type        = string
  description = "Engine: MySQL, PostgreSQL, SQLServer or MariaDB."
  default     = "MySQL"
}

variable "engine_version" {
  type        = string
  description = "Version of the engine."
  default     = "8.0"
}

variable "storage_type" {
  type        = string
  description = "Kind of storage."
  default     = "cloud_essd"
}

variable "tags" {
  type        = map(string)
  description = "Tags."
  default     = null
}
