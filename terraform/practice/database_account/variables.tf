variable "database" {
  type        = string
  description = "Database, by id."
}

variable "name" {
  type        = string
  description = "Account name, such as example."
}

variable "password" {
  type        = string
  description = "Password, such as Example-Pass-2025."
  default     = "Example-Pass-2025"
  sensitive   = true
}

variable "privileges" {
  type        = list(string)
  description = "Privileges: any of read, write, schema, replication."
  default     = null
}

variable "note" {
  type        = string
  description = "Remark."
  default     = null
}

variable "state" {
  type        = string
  description = "What it is brought to after it was made: active or locked."
  default     = null
}
