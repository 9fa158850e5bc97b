variable "name" {
  type        = string
  description = "Name."
}

variable "file" {
  type        = string
  description = "File on this machine to upload; left out: 1 KiB of zeros."
  default     = null
}

variable "disk_format" {
  type        = string
  description = "Format of the file: raw, qcow2, iso, vmdk or vdi."
  default     = "raw"
}

variable "visibility" {
  type        = string
  description = "Who sees it: private, shared, community or public."
  default     = "private"
}

variable "min_disk" {
  type        = number
  description = "Smallest disk that it fits on, in GiB."
  default     = 0
}

variable "min_ram" {
  type        = number
  description = "Least memory that it needs, in MiB."
  default     = 0
}
