"""Embeds with onnxruntime for `memoir-bench embed`: the peer that it is measured beside.

Reads {"texts": [...], "together": N, "seconds": S} a line, embeds the texts N at a time, over and over, for so long, and
writes {"texts": how many, "seconds": how long}. Tokenisation, pooling and normalisation are included.
"""

import json
import sys
import time

import numpy
import onnxruntime
from tokenizers import Tokenizer

onnx, tokenizer, longest, threads = sys.argv[1:]
options = onnxruntime.SessionOptions()
options.intra_op_num_threads = int(threads)
options.inter_op_num_threads = 1
session = onnxruntime.InferenceSession(onnx, options, providers=["CPUExecutionProvider"])
inputs = {given.name for given in session.get_inputs()}
tokenizer = Tokenizer.from_file(tokenizer)
tokenizer.enable_truncation(int(longest))
tokenizer.enable_padding()


def embed(texts):
    encoded = tokenizer.encode_batch(texts)
    ids = numpy.array([text.ids for text in encoded], dtype=numpy.int64)
    mask = numpy.array([text.attention_mask for text in encoded], dtype=numpy.int64)
    feed = {"input_ids": ids, "attention_mask": mask, "token_type_ids": numpy.zeros_like(ids)}
    hidden = session.run(None, {name: value for name, value in feed.items() if name in inputs})[0]
    weights = mask[:, :, None].astype(numpy.float32)
    vectors = (hidden * weights).sum(axis=1) / weights.sum(axis=1)
    return vectors / numpy.linalg.norm(vectors, axis=1, keepdims=True)


print(json.dumps({"version": onnxruntime.__version__}), flush=True)
for line in sys.stdin:
    asked = json.loads(line)
    texts, together = asked["texts"], asked["together"]
    groups = [texts[at : at + together] for at in range(0, len(texts), together)]
    embed(groups[0])
    done, started, elapsed = 0, time.perf_counter(), 0.0
    while elapsed < asked["seconds"]:
        group = groups[done // together % len(groups)]
        embed(group)
        done += len(group)
        elapsed = time.perf_counter() - started
    print(json.dumps({"texts": done, "seconds": elapsed}), flush=True)
