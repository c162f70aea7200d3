"""What a model is given beside the prompt: tools, search context, schemas; and pruning of items by a model."""
