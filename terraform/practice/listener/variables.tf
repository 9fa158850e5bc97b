variable "balancer" {
  type        = string
  description = "Load balancer, by id."
}

variable "name" {
  type        = string
  description = "Listener name, such as example."
}

variable "protocol" {
  type        = string
  description = "Protocol: http, https or tcp."
  default     = "http"
}

variable "port" {
  type        = number
  description = "Port, from 1 to 65535."
  default     = null
}

variable "redirect" {
  type        = bool
  description = "Redirect to HTTPS."
  default     = null
}

variable "targets" {
  type        = list(string)
  description = "Targets, by id."
  default     = null
}

variable "target_port" {
  type        = number
  description = "Target port, from 1 to 65535."
  default     = null
}
