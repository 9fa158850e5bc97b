variable "name" {
  type        = string
  description = "Name."
}

variable "public_key" {
  type        = string
  description = "Public key in OpenSSH form; left out: the cloud makes a pair."
  default     = null
}
