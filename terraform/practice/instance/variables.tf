variable "name" {
  type        = string
  description = "Instance name, such as example."
}

variable "instance_source" {
  type        = string
  description = "Image source: public or custom."
  default     = "public"
}

variable "image" {
  type        = string
  description = "Image: debian-12, ubuntu-24.04 or rocky-9."
  default     = "debian-12"
}

variable "custom_image" {
  type        = string
  description = "Image of yours, by id."
  default     = null
}

variable "size" {
  type        = string
  description = "Size: small, medium or large."
  default     = null
}

variable "network" {
  type        = string
  description = "Network, by id."
}

variable "subnet" {
  type        = string
  description = "Subnet, by id."
}

variable "groups" {
  type        = list(string)
  description = "Security groups, by id."
}

variable "public_address" {
  type        = bool
  description = "Public address."
  default     = false
}

variable "bandwidth" {
  type        = number
  description = "Bandwidth, from 1 to 100."
  default     = null
}

variable "key" {
  type        = string
  description = "Key pair, by id."
}

variable "user_data" {
  type        = string
  description = "User data."
  default     = null
}

variable "tags" {
  type        = map(string)
  description = "Tags."
  default     = null
}

variable "state" {
  type        = string
  description = "What it is brought to after it was made: running or stopped."
  default     = null
}
