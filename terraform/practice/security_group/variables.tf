variable "name" {
  type        = string
  description = "Group name, such as example."
}

variable "description" {
  type        = string
  description = "Description."
  default     = null
}

variable "policy" {
  type        = string
  description = "Incoming traffic without a rule: drop or reject."
  default     = null
}

variable "tags" {
  type        = map(string)
  description = "Tags."
  default     = null
}
