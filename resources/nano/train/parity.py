# SPDX-License-Identifier: Apache-2.0
"""Write what the packed model computes on a few prompts, for comparing the program's engine with it.

python3 parity.py --checkpoint FOLDER --suites FOLDER --out FOLDER writes parity.safetensors and parity.json:
for each prompt NAME.ids [T]; NAME.logits [K, vocab] after its last K tokens (float32); NAME.routing [MoE layers, R, top_k]
the experts chosen for its last R tokens, largest weight first; NAME.margin [MoE layers, R] by how much the last chosen
expert's score (with its bias) exceeds the best one not chosen; NAME.patches uint8 and NAME.grid [items, 3] of its media.
Everything is computed in float32 from the weights as stored.
"""
import argparse
import os

import numpy as np
import torch

import config as configuration
import export
import suites
from batch import Batch, Capacity, Packer, padded
from model import K3
from render import render
from tokenizer import Tokenizer

PROMPTS = {"short": ("dialogue-slots", 0), "think": ("hop2-think", 0), "kv": ("kv-2k", 0), "image": ("img-attribute", 0),
           "drawing": ("chart-value", 1), "clip": ("video-direction", 0)}
LOGIT_ROWS, ROUTING_ROWS = 6, 48


def prompt(sample):
    """The sample up to the first token of its first reply."""
    end = int(np.flatnonzero(sample.weights > 0.5)[0])
    sample.ids, sample.weights = sample.ids[:end], sample.weights[:end]
    return sample


class Routing:
    """Notes the choice of every router."""

    def __init__(self, model):
        self.found = []
        for layer in model.layers:
            if not layer.dense:
                moe = layer.block_sparse_moe
                moe.choose = self.wrap(moe, moe.choose)

    def wrap(self, moe, choose):
        def watch(x):
            logits, index, weight = choose(x)
            best = (torch.sigmoid(logits) + moe.gate.e_score_correction_bias).sort(-1, descending=True)[0]
            order = weight.sort(-1, descending=True)[1]
            self.found.append((index.gather(1, order), best[:, moe.top_k - 1] - best[:, moe.top_k]))
            return logits, index, weight
        return watch


@torch.no_grad()
def compute(model, routing, sample):
    """{field: tensor} of one prompt."""
    length = padded(len(sample.ids))
    patches = sum(len(p) for p, _ in sample.media)
    capacity = Capacity(length, 96, 256 * (2 + patches // 256), 64, 64 + patches // 4)
    packer = Packer(capacity, model.config, length)
    if not packer.add(sample, 0):
        raise ValueError(f"a prompt of {len(sample.ids)} tokens and {patches} patches does not fit")
    memory = np.zeros(capacity.offsets()[1], np.uint8)
    (_, end), = packer.write(capacity.arrays(memory))
    routing.found.clear()
    final = model(Batch.of(capacity.tensors(torch.from_numpy(memory)), length, 96))[0][:end]
    rows = slice(max(0, end - ROUTING_ROWS), end)
    out = dict(ids=torch.from_numpy(sample.ids.astype(np.int32)), logits=model.language_model.lm_head(final[-LOGIT_ROWS:]),
               routing=torch.stack([index[rows] for index, _ in routing.found]).to(torch.int32),
               margin=torch.stack([margin[rows] for _, margin in routing.found]))
    if sample.media:
        pixels = np.concatenate([p for p, _ in sample.media])
        out["patches"] = torch.from_numpy(np.rint((pixels + 1.0) * 127.5).astype(np.uint8))
        out["grid"] = torch.tensor([grid for _, grid in sample.media], dtype=torch.int32)
    return out


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--checkpoint", required=True)
    parser.add_argument("--suites", required=True)
    parser.add_argument("--out", required=True)
    args = parser.parse_args()
    model, tokenizer = K3(configuration.NANO, torch.float32), Tokenizer.load(args.checkpoint)
    export.load_tensors(model, export.read_checkpoint(args.checkpoint))
    routing, tensors, facts = Routing(model), {}, {}
    for name, (suite, number) in PROMPTS.items():
        item, dialog = suites.load(args.suites, suite)[number]
        found = compute(model, routing, prompt(render(dialog, tokenizer)))
        tensors.update({f"{name}.{field}": tensor for field, tensor in found.items()})
        best = found["logits"][-1].topk(2)
        facts[name] = dict(suite=suite, item=item["id"], tokens=len(found["ids"]), next_token=int(best.indices[0]),
                           lead=round(float(best.values[0] - best.values[1]), 4))
    os.makedirs(args.out, exist_ok=True)
    export.write_safetensors(os.path.join(args.out, "parity.safetensors"), tensors)
    export.write_json(args.out, "parity.json", facts)


if __name__ == "__main__":
    main()
