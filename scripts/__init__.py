"""Commands that measure and write docs; run from the checkout, not part of the package."""
