variable "name" {
  type        = string
  description = "Domain name, such as example.com."
}

variable "visibility" {
  type        = string
  description = "Visibility: public or private."
  default     = null
}

variable "description" {
  type        = string
  description = "Description."
  default     = null
}

variable "state" {
  type        = string
  description = "What it is brought to after it was made: active or paused."
  default     = null
}
