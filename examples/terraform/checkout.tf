resource "loadform_test_case" "checkout" {
  name        = "Checkout"
  description = "Buying path, **critical**"
}

resource "loadform_scenario" "browse" {
  test_case_id = loadform_test_case.checkout.id
  name         = "Browse and buy"
  script       = file("${path.module}/scripts/browse.js")
  init         = file("${path.module}/scripts/init.js")
  tags         = [loadform_tag.nightly.name, loadform_tag.release.name]

  params_config = [
    { name = "baseUrl", required = true },
  ]
}

resource "loadform_data_store" "users" {
  scenario_id = loadform_scenario.browse.id
  name        = "users.csv"
  contents    = file("${path.module}/data/users.csv")
}

resource "loadform_gateway" "shop" {
  test_case_id = loadform_test_case.checkout.id
  name         = "Shop"
  url          = var.shop_url
}

locals {
  # Provider 0 is the public grid of the service.
  public = [
    { provider_id = "0", regions = ["cloud-us-east-1", "cloud-eu-west-1"] },
  ]
  script_params = jsonencode({ baseUrl = var.shop_url })
}

resource "loadform_configuration" "smoke" {
  test_case_id         = loadform_test_case.checkout.id
  scenario_id          = loadform_scenario.browse.id
  name                 = "Smoke"
  concurrent_clients   = var.users
  duration_secs        = 60
  rampup_secs          = 10
  iteration_sleep_secs = 5
  providers            = local.public
  script_params        = local.script_params
}

resource "loadform_configuration" "peak" {
  test_case_id             = loadform_test_case.checkout.id
  scenario_id              = loadform_scenario.browse.id
  name                     = "Peak"
  profile_type             = "Step"
  start_concurrent_clients = 10
  concurrent_clients       = 200
  step                     = 10
  duration_secs            = 1200
  iteration_sleep_secs     = 5
  providers                = local.public
  script_params            = local.script_params
}

resource "loadform_configuration" "limit" {
  test_case_id         = loadform_test_case.checkout.id
  scenario_id          = loadform_scenario.browse.id
  name                 = "Where it breaks"
  profile_type         = "BreakingPoint"
  duration_secs        = 1800
  iteration_sleep_secs = 5
  script_params        = local.script_params

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
