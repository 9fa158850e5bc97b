"""The Terraform provider of the practice cloud: every resource type of `schema.json`."""
