# A running EC2 instance with Amazon Linux, without a public address.

terraform {
  required_providers {
    aws = {
      source = "hashicorp/aws"
    }
  }
}

data "aws_ssm_parameter" "image" {
  name = "/aws/service/ami-amazon-linux-latest/al2023-ami-kernel-default-x86_64"
}

resource "aws_instance" "this" {
  ami                    = coalesce(var.image, data.aws_ssm_parameter.image.value)
  instance_type          = var.size
  subnet_id              = var.subnet
  vpc_security_group_ids = var.security_groups
  key_name               = var.key_pair
  user_data              = var.user_data
  tags                   = merge({ Name = var.name }, var.tags)
}
