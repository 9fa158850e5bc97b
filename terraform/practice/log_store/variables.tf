variable "project" {
  type        = string
  description = "Project, by id."
}

variable "name" {
  type        = string
  description = "Log store name, such as example-store."
}

variable "retention" {
  type        = number
  description = "Keep logs for, from 1 to 365."
  default     = null
}

variable "shards" {
  type        = number
  description = "Shards, from 1 to 16."
  default     = null
}

variable "indexed" {
  type        = bool
  description = "Full-text index."
  default     = true
}

variable "separators" {
  type        = string
  description = "Word separators."
  default     = null
}

variable "state" {
  type        = string
  description = "What it is brought to after it was made: collecting or paused."
  default     = null
}
