# The web shop of examples/webshop for Terraform. The service is $LOADFORM_URL with $LOADFORM_API_KEY; the bundled one:
#
#   loadform serve --port 8080 &
#   export LOADFORM_URL=http://127.0.0.1:8080 LOADFORM_API_KEY=local
#   loadform terraform -- apply
#
# `loadform terraform` needs no installation of the provider; see docs/terraform.md for one.
terraform {
  required_version = ">= 1.11"
  required_providers {
    loadform = {
      source = "loadform/loadform"
    }
  }
}

provider "loadform" {
  # A killed apply, run again, takes over what it made instead of making it twice.
  adopt_existing = "created_recently"
}

variable "users" {
  type        = number
  default     = 20
  description = "Peak users per region."
}

variable "shop_url" {
  type        = string
  default     = "https://shop.example.com"
  description = "The site under test."
}
