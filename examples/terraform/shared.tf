resource "loadform_provider" "grid" {
  name          = "Our grid"
  provider_type = "Shared"
}

resource "loadform_region" "dc1" {
  name        = "dc-1"
  description = "Rack 4"
  provider_id = loadform_provider.grid.id
}

resource "loadform_vcs_root" "scripts" {
  name   = "Load scripts"
  url    = "https://git.example.com/load.git"
  branch = "main"
}

resource "loadform_tag" "nightly" {
  name = "nightly"
}

resource "loadform_tag" "release" {
  name = "release-gate"
}
