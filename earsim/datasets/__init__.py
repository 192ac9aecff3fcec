"""What a suite is, not how a policy does: audits and statistics of its scenarios."""
