"""Every threshold, weight, phrase and rule, as data."""
