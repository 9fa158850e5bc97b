# An Elastic IP address that is associated with nothing yet.

terraform {
  required_providers {
    aws = {
      source = "hashicorp/aws"
    }
  }
}

resource "aws_eip" "this" {
  domain = "vpc"
  tags   = merge({ Name = var.name }, var.tags)
}
