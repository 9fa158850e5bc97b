# A private subnet of a VPC, in the first availability zone.

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

resource "aws_subnet" "this" {
  vpc_id                  = var.vpc
  cidr_block              = var.cidr
  availability_zone       = coalesce(var.zone, data.aws_availability_zones.this.names[0])
  map_public_ip_on_launch = var.public
  tags                    = merge({ Name = var.name }, var.tags)
}
