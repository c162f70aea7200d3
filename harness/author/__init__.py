"""What the author of a plugin uses: a scaffold to begin with, and a check of the installation."""
