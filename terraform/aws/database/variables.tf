variable "name" {
  type        = string
  description = "Name."
}

variable "engine" {
  type        = string
  description = "Engine: postgres, mysql or mariadb."
  default     = "postgres"
}

variable "size" {
  type        = string
  description = "Instance class."
  default     = "db.t4g.micro"
}

variable "storage" {
  type        = number
  description = "Storage in GiB."
  default     = 20
}

variable "admin" {
  type        = string
  description = "Name of the master user; the password is made by AWS and kept in Secrets Manager."
  default     = "dbadmin"
}

variable "database_subnet_group" {
  type        = string
  description = "DB subnet group, by name; left out: the default VPC."
  default     = null
}

variable "tags" {
  type        = map(string)
  description = "Tags."
  default     = null
}
