variable "name" {
  type        = string
  description = "Name."
}

variable "vpc" {
  type        = string
  description = "VPC, by id: where one is made unasked, so are the subnet and the groups in it."
}

variable "subnet" {
  type        = string
  description = "Subnet, by id."
}

variable "security_groups" {
  type        = list(string)
  description = "Security groups, by id."
}

variable "size" {
  type        = string
  description = "Instance type."
  default     = "t3.micro"
}

variable "image" {
  type        = string
  description = "AMI, by id; left out: the newest Amazon Linux 2023."
  default     = null
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
