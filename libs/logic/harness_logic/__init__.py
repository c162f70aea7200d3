"""Spot and pyModelChecking as several plugins use them: loaded, bounded, corrected."""
