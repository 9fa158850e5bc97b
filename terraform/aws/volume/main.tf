# An empty EBS volume of 1 GiB.

terraform {
  required_providers {
    aws = {
      source = "hashicorp/aws"
    }
  }
}

data "aws_availability_zones" "this" {
  state = "available"
}

resource "aws_ebs_volume" "this" {
  availability_zone = coalesce(var.zone, data.aws_availability_zones.this.names[0])
  size              = var.size
  type              = var.type
  encrypted         = var.encrypted
  tags              = merge({ Name = var.name }, var.tags)
}
