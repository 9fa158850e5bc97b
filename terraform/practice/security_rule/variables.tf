variable "group" {
  type        = string
  description = "Security group, by id."
}

variable "direction" {
  type        = string
  description = "Direction: in or out."
  default     = null
}

variable "protocol" {
  type        = string
  description = "Protocol: tcp, udp, icmp or any."
  default     = "tcp"
}

variable "ports" {
  type        = string
  description = "Port range, such as 443."
  default     = "443"
}

variable "security_rule_source" {
  type        = string
  description = "Address range, such as 0.0.0.0/0."
  default     = null
}

variable "priority" {
  type        = number
  description = "Priority, from 1 to 100."
  default     = null
}

variable "description" {
  type        = string
  description = "Remark."
  default     = null
}
