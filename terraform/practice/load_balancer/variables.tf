variable "name" {
  type        = string
  description = "Load balancer name, such as example."
}

variable "scheme" {
  type        = string
  description = "Reachable from: public or private."
  default     = null
}

variable "class" {
  type        = string
  description = "Class: shared or dedicated."
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

variable "timeout" {
  type        = number
  description = "Idle timeout, from 10 to 600."
  default     = null
}

variable "probe_path" {
  type        = string
  description = "Health check path."
  default     = null
}

variable "probe_interval" {
  type        = number
  description = "Health check interval, from 2 to 120."
  default     = null
}

variable "tags" {
  type        = map(string)
  description = "Tags."
  default     = null
}

variable "state" {
  type        = string
  description = "What it is brought to after it was made: active or disabled."
  default     = null
}
