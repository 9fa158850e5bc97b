# An IAM user without permissions or credentials.

terraform {
  required_providers {
    aws = {
      source = "hashicorp/aws"
    }
  }
}

resource "aws_iam_user" "this" {
  name          = var.name
  path          = var.path
  force_destroy = true
  tags          = var.tags
}
