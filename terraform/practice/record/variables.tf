variable "zone" {
  type        = string
  description = "Zone, by id."
}

variable "name" {
  type        = string
  description = "Host name, such as www."
}

variable "type" {
  type        = string
  description = "Record type: A, AAAA, CNAME, MX or TXT."
  default     = "A"
}

variable "value" {
  type        = string
  description = "Record value, such as 203.0.113.10."
  default     = "203.0.113.10"
}

variable "priority" {
  type        = number
  description = "Priority, from 1 to 100."
  default     = null
}

variable "ttl" {
  type        = number
  description = "TTL, from 60 to 86400."
  default     = null
}

variable "line" {
  type        = string
  description = "Visitors from: everywhere, europe, asia or america."
  default     = null
}

variable "state" {
  type        = string
  description = "What it is brought to after it was made: active or paused."
  default     = null
}
