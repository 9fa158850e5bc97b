variable "name" {
  type        = string
  description = "Key pair name, such as example."
}

variable "algorithm" {
  type        = string
  description = "Algorithm: ed25519 or rsa-4096."
  default     = null
}
