"""Usage of quotas, the plan and what it includes."""
