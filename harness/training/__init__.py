"""Items for training: rewards, streams, mixtures, curricula and worked solutions."""
