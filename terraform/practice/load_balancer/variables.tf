variable "name" {
  type        = string
  description = "Load balancer name, such as example."
}

variable "scheme" {
  type        = string
  description = "Reachable from: public or private."
  default     = "public"
}

variable "class" {
  type        = string
  description = "Class: shared or dedicated."
  default     = "shared"
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
  default     = 60
}

variable "probe_path" {
  type        = string
  description = "Health check path."
  default     = "/"
}

variable "probe_interval" {
  type        = number
  description = "Health check interval, from 2 to 120."
  default     = 10
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
