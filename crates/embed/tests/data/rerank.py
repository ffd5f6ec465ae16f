"""Makes the folders cross-bert and cross-xlmr: two tiny cross-encoders of random numbers, saved by transformers, and what
transformers (PyTorch, on the processor) gives for some pairs. The tests hold the local reranker against them.

    python3 -m venv venv && venv/bin/pip install torch transformers
    venv/bin/python rerank.py
"""

import json
import pathlib

import torch
import transformers
from transformers import (
    BertConfig,
    BertForSequenceClassification,
    BertTokenizerFast,
    XLMRobertaConfig,
    XLMRobertaForSequenceClassification,
    XLMRobertaTokenizerFast,
)

HERE = pathlib.Path(__file__).parent
LONGEST = 24
LETTERS = "abcdefghijklmnopqrstuvwxyz"
HAN = "我你她的猫狗茶咖啡喜欢不吃喝什么在哪里住北京上海？。"
WORDS = ["the", "cat", "dog", "tea", "coffee", "likes", "where", "what", "is", "she", "does", "live", "drink", "##s", "##ing"]

SHAPE = dict(
    hidden_size=16,
    num_hidden_layers=2,
    num_attention_heads=2,
    intermediate_size=32,
    num_labels=1,
)

PAIRS = [
    ("what does she drink?", "she likes tea"),
    ("what does she drink?", "The dog is in Lisbon."),
    ("what does she drink?", ""),
    ("", "she likes tea"),
    ("", ""),
    ("tea", "tea"),
    ("tea coffee", "coffee tea"),
    ("她喜欢喝什么？", "她不喝茶，喜欢咖啡。"),
    ("猫在哪里？", "The cat lives 在北京 🐈"),
    ("where?", "the cat is where the dog is and the dog is where she is; she drinks tea and likes the dog and the cat"),
    ("where does the cat live and what does the dog drink when she is not in the house with the tea?", "cat"),
    # Both are cut. Neither is longer than the model can read: what such a pair keeps depends on the version of tokenizers.
    ("where does the cat live and what does the dog drink?", "the cat is where the dog is and the dog is where she is"),
]


def bert():
    special = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"]
    pieces = special + list(LETTERS) + ["##" + letter for letter in LETTERS] + list(HAN) + list("?.,;") + WORDS
    pieces = list(dict.fromkeys(pieces))
    tokenizer = BertTokenizerFast(vocab={piece: at for at, piece in enumerate(pieces)})
    config = BertConfig(
        vocab_size=len(pieces), max_position_embeddings=LONGEST, type_vocab_size=2, pad_token_id=0, **SHAPE
    )
    return tokenizer, BertForSequenceClassification(config)


def xlmr():
    special = ["<s>", "<pad>", "</s>", "<unk>"]
    pieces = ["▁"] + list(LETTERS) + list(HAN) + list("?.,;") + ["▁" + word for word in WORDS if "#" not in word]
    pieces = list(dict.fromkeys(pieces))
    # A longer piece is likelier than the shorter ones that it could be divided into.
    vocabulary = [(piece, 0.0) for piece in special]
    vocabulary += [(piece, -3.0 - at / 100) for at, piece in enumerate(pieces)] + [("<mask>", 0.0)]
    tokenizer = XLMRobertaTokenizerFast(vocab=vocabulary)
    config = XLMRobertaConfig(
        vocab_size=len(tokenizer),
        # As in the real ones, two rows are never used.
        max_position_embeddings=LONGEST + 2,
        type_vocab_size=1,
        layer_norm_eps=1e-5,
        bos_token_id=0,
        pad_token_id=1,
        eos_token_id=2,
        **SHAPE,
    )
    return tokenizer, XLMRobertaForSequenceClassification(config)


def main():
    for name, make in [("bert", bert), ("xlmr", xlmr)]:
        torch.manual_seed(20240607)
        tokenizer, model = make()
        model.eval()
        with torch.no_grad():
            for parameter_name, parameter in model.named_parameters():
                gain = parameter_name.endswith("LayerNorm.weight")
                parameter.normal_(1.0 if gain else 0.0, 1.5 if "classifier" in parameter_name else 0.5)
        folder = HERE / f"cross-{name}"
        model.save_pretrained(folder)
        (folder / "model.safetensors").chmod(0o644)
        tokenizer.backend_tokenizer.save(str(folder / "tokenizer.json"), pretty=False)
        pairs = []
        for question, text in PAIRS:
            # In lists, because an empty text alone is taken for none.
            inputs = tokenizer([question], [text], truncation="longest_first", max_length=LONGEST, return_tensors="pt")
            with torch.no_grad():
                logit = model(**inputs).logits.item()
            tokens = inputs["input_ids"].shape[1]
            pairs.append({"question": question, "text": text, "tokens": tokens, "logit": round(logit, 6)})
        lines = ",\n".join(json.dumps(pair, ensure_ascii=False) for pair in pairs)
        about = f"Made by rerank.py with transformers {transformers.__version__}."
        (folder / "expected.json").write_text(f'{{"about": "{about}", "pairs": [\n{lines}\n]}}\n')


main()
