variable "name" {
  type        = string
  description = "Name."
}

variable "public_key" {
  type        = string
  description = "Public key in OpenSSH form; left out: one whose private key was thrown away."
  default     = "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAII/VlHCyvSqrWpZwB8NrAJ4bmrmJa0tyN3fMCmTL5E3K nobody"
}

variable "tags" {
  type        = map(string)
  description = "Tags."
  default     = null
}
