"""Under fire: processes killed at random moments, and many visitors at once (``python -m bench.fire``)."""
