# A small PostgreSQL instance of Amazon RDS in the default VPC.

terraform {
  required_providers {
    aws = {
      source = "hashicorp/aws"
    }
  }
}

resource "aws_db_instance" "this" {
  identifier                  = var.name
  engine                      = var.engine
  instance_class              = var.size
  allocated_storage           = var.storage
  username                    = var.admin
  manage_master_user_password = true
  db_subnet_group_name        = var.database_subnet_group
  skip_final_snapshot         = true
  tags                        = var.tags
}
