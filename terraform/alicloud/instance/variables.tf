variable "name" {
  type        = string
  description = "Name."
}

variable "vpc" {
  type        = string
  description = "VPC by id: where one is made unasked, so are the vSwitch and the groups in it."
}

variable "vswitch" {
  type        = string
  description = "VSwitch, by id."
}

variable "security_groups" {
  type        = list(string)
  description = "Security groups, by id."
}

variable "size" {
  type        = string
  description = "Instance type."
  default     = "ecs.n4.large"
}

variable "image" {
  type        = string
  description = "Image, by id; left out: the newest Ubuntu of the system."
  default     = null
}

variable "disk_category" {
  type        = string
  description = "Category of the system disk."
  default     = "cloud_efficiency"
}

variable "key_pair" {
  type        = string
  description = "Key pair, by name, which is its id."
  default     = null
}

variable "user_data" {
  type        = string
  description = "Script that runs at the first start."
  default     = null
}

variable "tags" {
  type        = map(string)
  description = "Tags."
  default     = null
}
