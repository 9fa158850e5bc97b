variable "name" {
  type        = string
  description = "Policy name, such as Example."
}

variable "description" {
  type        = string
  description = "Description."
  default     = null
}

variable "document" {
  type        = string
  description = "Policy document, such as {\"effect\": \"allow\", \"actions\": [\"*:Get*\"], \"resources\": [\"*\"]}."
  default     = null
}
