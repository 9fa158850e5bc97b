variable "name" {
  type        = string
  description = "Disk name, such as example."
}

variable "zone" {
  type        = string
  description = "Zone: zone-a, zone-b or zone-c."
  default     = null
}

variable "type" {
  type        = string
  description = "Disk type: standard, performance or extreme."
  default     = null
}

variable "size" {
  type        = number
  description = "Capacity, from 10 to 2000."
  default     = null
}

variable "snapshot" {
  type        = string
  description = "Restore from snapshot, by id."
  default     = null
}

variable "encrypted" {
  type        = bool
  description = "Encryption."
  default     = null
}

variable "instance" {
  type        = string
  description = "Attached to, by id."
  default     = null
}

variable "cleanup" {
  type        = bool
  description = "Delete with the instance."
  default     = null
}

variable "tags" {
  type        = map(string)
  description = "Tags."
  default     = null
}

variable "state" {
  type        = string
  description = "What it is brought to after it was made: available or in-use."
  default     = null
}
