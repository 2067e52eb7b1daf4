/** The example of each page. Together they are one configuration, a web shop, that Terraform accepts as a whole. */
type Examples = Readonly<Record<string, string>>;

export const providerExample = `terraform {
  required_version = ">= 1.11"
  required_providers {
    loadform = {
      source = "loadform/loadform"
    }
  }
}

provider "loadform" {
  url          = "https://load.example.com/api"
  organization = "Shop"
}
`;

export const resourceExamples: Examples = {
  loadform_test_case: `resource "loadform_test_case" "checkout" {
  name        = "Checkout"
  description = "Buying path, **critical**"
}
`,
  loadform_scenario: `resource "loadform_scenario" "browse" {
  test_case_id = loadform_test_case.checkout.id
  name         = "Browse and buy"
  script       = file("\${path.module}/scripts/browse.js")
  init         = file("\${path.module}/scripts/init.js")
  tags         = [loadform_tag.nightly.name]

  params_config = [
    { name = "baseUrl", required = true },
  ]
}
`,
  loadform_data_store: `resource "loadform_data_store" "users" {
  scenario_id = loadform_scenario.browse.id
  name        = "users.csv"
  contents    = file("\${path.module}/data/users.csv")
}

# The exact bytes of a file that is no UTF-8 text.
resource "loadform_data_store" "carts" {
  scenario_id     = loadform_scenario.browse.id
  name            = "carts.csv"
  contents_base64 = filebase64("\${path.module}/data/carts.csv")
}
`,
  loadform_gateway: `resource "loadform_gateway" "shop" {
  test_case_id = loadform_test_case.checkout.id
  name         = "Shop"
  url          = "https://shop.example.com"
}
`,
  loadform_configuration: `# 20 users in each of two public regions, for one minute.
resource "loadform_configuration" "smoke" {
  test_case_id       = loadform_test_case.checkout.id
  scenario_id        = loadform_scenario.browse.id
  name               = "Smoke"
  concurrent_clients = 20
  duration_secs      = 60
  rampup_secs        = 10
  script_params      = jsonencode({ baseUrl = "https://shop.example.com" })

  providers = [
    { provider_id = "0", regions = ["cloud-us-east-1", "cloud-eu-west-1"] },
  ]
}

# More and more users on an own grid, until the answers are slow.
resource "loadform_configuration" "limit" {
  test_case_id  = loadform_test_case.checkout.id
  scenario_id   = loadform_scenario.browse.id
  name          = "Where it breaks"
  profile_type  = "BreakingPoint"
  duration_secs = 1800
  script_params = jsonencode({ baseUrl = "https://shop.example.com" })

  providers = [
    { provider_id = loadform_provider.grid.id, regions = [loadform_region.dc1.name] },
  ]

  triggers = [{
    conditions = [{
      metric      = "firstReceivedMs"
      metric_key  = "p95"
      operator    = "GTE"
      threshold   = 800
      time_period = "LastMinute"
      value_type  = "Absolute"
    }]
    actions = [{ action_type = "StopExecution" }]
  }]
}
`,
  loadform_schedule: `# Each night at 2:30 UTC, but not at the weekend.
resource "loadform_schedule" "nightly" {
  configuration_id   = loadform_configuration.smoke.id
  schedule_type      = "Recurring"
  recurring_interval = "Day"
  hour               = 2
  minute             = 30

  exclusions = [{
    recurring_interval = "Week"
    start_day_of_week  = 6
    end_day_of_week    = 7
    end_hour           = 23
    end_minute         = 59
  }]
}

# Once.
resource "loadform_schedule" "launch" {
  configuration_id = loadform_configuration.smoke.id
  schedule_type    = "Single"
  next_scheduled   = "2199-01-15T02:00:00Z"
}
`,
  loadform_vcs_root: `variable "git_token" {
  type      = string
  ephemeral = true
}

resource "loadform_vcs_root" "scripts" {
  name                = "Load scripts"
  url                 = "https://git.example.com/load.git"
  branch              = "main"
  vcs_auth_type       = "Username"
  username            = "ci"
  password_wo         = var.git_token
  password_wo_version = 1 # raise it when the token changes
}
`,
  loadform_provider: `# A grid of self-hosted agents.
resource "loadform_provider" "grid" {
  name          = "Our grid"
  provider_type = "Shared"
}

variable "cloud_key_id" {
  type      = string
  ephemeral = true
}

variable "cloud_secret" {
  type      = string
  ephemeral = true
}

# Instances of an own cloud account, created for each test.
resource "loadform_provider" "cloud" {
  name                               = "Our cloud"
  provider_type                      = "CloudOnDemand"
  cloud_access_key_id_wo             = var.cloud_key_id
  cloud_access_key_id_wo_version     = 1
  cloud_secret_access_key_wo         = var.cloud_secret
  cloud_secret_access_key_wo_version = 1
}
`,
  loadform_region: `resource "loadform_region" "dc1" {
  name        = "dc-1"
  description = "Rack 4"
  provider_id = loadform_provider.grid.id
}
`,
  loadform_tag: `resource "loadform_tag" "nightly" {
  name = "nightly"
}
`,
};

export const dataSourceExamples: Examples = {
  loadform_organization: `data "loadform_organization" "own" {}

output "organization" {
  value = data.loadform_organization.own.name
}
`,
  loadform_test_case: `data "loadform_test_case" "payment" {
  name = "Payment"
}
`,
  loadform_scenario: `data "loadform_scenario" "pay" {
  test_case_id = data.loadform_test_case.payment.id
  name         = "Pay by card"
}
`,
  loadform_provider: `data "loadform_provider" "public" {
  name = "Public Shared Grid"
}
`,
  loadform_region: `data "loadform_region" "dc2" {
  provider_id = loadform_provider.grid.id
  name        = "dc-2"
}
`,
  loadform_regions: `data "loadform_regions" "public" {
  provider_id = data.loadform_provider.public.id
}

output "public_regions" {
  value = data.loadform_regions.public.regions[*].name
}
`,
  loadform_tags: `data "loadform_tags" "all" {}

output "tags" {
  value = data.loadform_tags.all.tags[*].name
}
`,
  loadform_vcs_root_refs: `data "loadform_vcs_root_refs" "scripts" {
  vcs_root_id = loadform_vcs_root.scripts.id
}

output "branches_and_tags" {
  value = data.loadform_vcs_root_refs.scripts.refs
}
`,
};
