"""A language model of a few thousand parameters and its tokenizer, made on the spot: nothing is downloaded."""

from collections import Counter

import torch
from tokenizers import Tokenizer, models, pre_tokenizers
from transformers import LlamaConfig, LlamaForCausalLM, PreTrainedTokenizerFast

SPECIAL = ["[UNK]", "[PAD]", "[EOS]"]
TEMPLATE = "{% for message in messages %}{{ message['content'] }} {% endfor %}"


def tokenizer_of(texts, words, size):
    """A tokenizer of whole words: ``words``, the commonest of the texts, and one for all others."""
    common = [word for word, _ in Counter(" ".join(texts).split()).most_common()]
    vocabulary = list(dict.fromkeys([*SPECIAL, *words, *common]))[:size]
    own = Tokenizer(models.WordLevel({word: at for at, word in enumerate(vocabulary)}, "[UNK]"))
    own.pre_tokenizer = pre_tokenizers.WhitespaceSplit()
    return PreTrainedTokenizerFast(
        tokenizer_object=own, unk_token="[UNK]", pad_token="[PAD]", eos_token="[EOS]",
        padding_side="left", chat_template=TEMPLATE,
    )  # fmt: skip


def policy_of(tokenizer, seed=0):
    """A random transformer of one layer for this tokenizer."""
    torch.manual_seed(seed)
    ids = {"bos_token_id": 2, "eos_token_id": 2, "pad_token_id": 1}
    config = LlamaConfig(
        vocab_size=len(tokenizer), hidden_size=16, intermediate_size=32, num_hidden_layers=1,
        num_attention_heads=2, tie_word_embeddings=True, max_position_embeddings=1024, **ids,
    )  # fmt: skip
    return LlamaForCausalLM(config)


def said_by(model, tokenizer, prompt, tokens, seed):
    """What the model says to a prompt, drawn at random."""
    torch.manual_seed(seed)
    given = tokenizer(prompt, return_tensors="pt", return_token_type_ids=False)
    with torch.no_grad():
        found = model.generate(**given, max_new_tokens=tokens, do_sample=True, top_k=0)
    return tokenizer.decode(found[0, given["input_ids"].shape[1] :], skip_special_tokens=True)
