# A security group of a VPC, without rules.

terraform {
  required_providers {
    aws = {
      source = "hashicorp/aws"
    }
  }
}

resource "aws_security_group" "this" {
  name        = var.name
  description = var.description
  vpc_id      = var.vpc
  tags        = merge({ Name = var.name }, var.tags)
}
