variable "name" {
  type        = string
  description = "Database name, such as example-db."
}

variable "engine" {
  type        = string
  description = "Engine: postgresql or mysql."
  default     = "postgresql"
}

variable "postgresql_version" {
  type        = string
  description = "PostgreSQL version: 15, 16 or 17."
  default     = null
}

variable "mysql_version" {
  type        = string
  description = "MySQL version: 8.0 or 8.4."
  default     = null
}

variable "class" {
  type        = string
  description = "Instance class: small, medium, large or xlarge."
  default     = null
}

variable "storage" {
  type        = number
  description = "Storage, from 20 to 500."
  default     = null
}

variable "standby" {
  type        = bool
  description = "Standby replica."
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

variable "admin" {
  type        = string
  description = "Administrator name, such as dbadmin."
  default     = null
}

variable "password" {
  type        = string
  description = "Administrator password, such as Example-Pass-2025."
  default     = "Example-Pass-2025"
  sensitive   = true
}

variable "parameters" {
  type        = string
  description = "Parameter group, by id."
  default     = null
}

variable "retention" {
  type        = number
  description = "Keep automatic backups for, from 0 to 35."
  default     = null
}

variable "maintenance_day" {
  type        = string
  description = "Maintenance day: monday, tuesday, wednesday, thursday, friday, saturday or sunday."
  default     = null
}

variable "maintenance_time" {
  type        = string
  description = "Maintenance time."
  default     = null
}

variable "tags" {
  type        = map(string)
  description = "Tags."
  default     = null
}

variable "state" {
  type        = string
  description = "What it is brought to after it was made: available or stopped."
  default     = null
}
