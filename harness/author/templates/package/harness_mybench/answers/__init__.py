"""What a model answers: how it is read, judged, and explained."""
