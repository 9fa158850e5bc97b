# A key pair whose private key nobody has.

terraform {
  required_providers {
    aws = {
      source = "hashicorp/aws"
    }
  }
}

resource "aws_key_pair" "this" {
  key_name   = var.name
  public_key = var.public_key
  tags       = var.tags
}
