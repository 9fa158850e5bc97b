variable "name" {
  type        = string
  description = "Name."
}

variable "size" {
  type        = number
  description = "Size in GiB."
  default     = 1
}

variable "type" {
  type        = string
  description = "Volume type: gp3, gp2, io1, io2, st1, sc1 or standard."
  default     = "gp3"
}

variable "zone" {
  type        = string
  description = "Availability zone; left out: the first."
  default     = null
}

variable "encrypted" {
  type        = bool
  description = "Whether it is encrypted."
  default     = false
}

variable "tags" {
  type        = map(string)
  description = "Tags."
  default     = null
}
