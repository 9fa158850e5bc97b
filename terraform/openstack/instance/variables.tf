variable "name" {
  type        = string
  description = "Name."
}

variable "image" {
  type        = string
  description = "Image that it boots from, by id."
}

variable "flavor" {
  type        = string
  description = "Name of its flavor."
  default     = "m1.tiny"
}

variable "network" {
  type        = string
  description = "Network, by id."
}

variable "subnet" {
  type        = string
  description = "Subnet of the network: it must be there before an address can be given. By id."
}

variable "key_pair" {
  type        = string
  description = "Key pair, by name, which is its id."
  default     = null
}

variable "security_groups" {
  type        = list(string)
  description = "Names of its security groups."
  default     = ["default"]
}

variable "user_data" {
  type        = string
  description = "Script that runs at the first start."
  default     = null
}

variable "availability_zone" {
  type        = string
  description = "Availability zone; left out: as the cloud has it."
  default     = null
}
