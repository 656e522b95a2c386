"""The page: map layers, panels, stepper and dashboards."""
