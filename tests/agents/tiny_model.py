"""`python tiny_model.py FOLDER [REPLY]`: a model with a tokenizer, for real servers.

Its weights are random, or set so that whatever it is asked it gives one reply. It runs in whatever
environment has torch and transformers, so it imports nothing of ours.
"""

import sys
from itertools import pairwise
from pathlib import Path

TEMPLATE = (
    "{% for m in messages %}<|im_start|>{{ m['role'] }}\n{{ m['content'] }}<|im_end|>\n{% endfor %}"
    "{% if add_generation_prompt %}<|im_start|>assistant\n{% endif %}"
)


def save(folder: Path, reply: str = "") -> None:
    import torch
    from tokenizers import Tokenizer, decoders, models, pre_tokenizers, trainers
    from transformers import PreTrainedTokenizerFast, Qwen2Config, Qwen2ForCausalLM

    words = Tokenizer(models.BPE())
    words.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    words.decoder = decoders.ByteLevel()
    trainer = trainers.BpeTrainer(
        vocab_size=300,
        special_tokens=["<|endoftext|>", "<|im_start|>", "<|im_end|>"],
        initial_alphabet=pre_tokenizers.ByteLevel.alphabet(),
    )
    words.train_from_iterator(["You can:\n  GOTO <target> - walk to a room\nAction: GOTO"], trainer)
    tokenizer = PreTrainedTokenizerFast(
        tokenizer_object=words, eos_token="<|im_end|>", pad_token="<|endoftext|>"
    )
    tokenizer.chat_template = TEMPLATE
    torch.manual_seed(0)
    config = Qwen2Config(
        vocab_size=300,
        hidden_size=32,
        intermediate_size=64,
        num_hidden_layers=2,
        num_attention_heads=2,
        num_key_value_heads=2,
        max_position_embeddings=16_384,
        eos_token_id=2,
        pad_token_id=0,
    )
    model = Qwen2ForCausalLM(config)
    if reply:
        steer(model, [tokenizer.vocab["\u010a"], *tokenizer(reply).input_ids, config.eos_token_id])
    model.save_pretrained(folder)
    tokenizer.save_pretrained(folder)


def steer(model, tokens: list[int]) -> None:
    """Set weights so that each of these tokens, all different, is followed by the next one.

    No layer adds anything to the embedding of the last token, which is a unit vector.
    """
    import torch

    assert len({*tokens}) == len(tokens) <= model.config.hidden_size
    with torch.no_grad():
        for layer in model.model.layers:
            layer.self_attn.o_proj.weight.zero_()
            layer.mlp.down_proj.weight.zero_()
        model.model.embed_tokens.weight.zero_()
        model.lm_head.weight.zero_()
        for at, (token, following) in enumerate(pairwise(tokens)):
            model.model.embed_tokens.weight[token, at] = 1.0
            model.lm_head.weight[following, at] = 9.0


if __name__ == "__main__":
    save(Path(sys.argv[1]), *sys.argv[2:])
