# SPDX-License-Identifier: Apache-2.0
"""Checkpoints survive writing and reading; scoring finds the replies."""
import json
import os
import tempfile
import unittest

import numpy as np
import torch

import nano_setup as setup
import evaluate
import export
import mxfp4


class Files(unittest.TestCase):
    def test_packed_checkpoint(self):
        model = setup.randomized(torch.float32)
        with tempfile.TemporaryDirectory() as folder:
            export.write_checkpoint(model, folder, packed=True)
            tensors = export.read_checkpoint(folder)
            with open(os.path.join(folder, "model.safetensors.index.json")) as f:
                self.assertEqual(sorted(json.load(f)["weight_map"]), sorted(tensors))
            with open(os.path.join(folder, "config.json")) as f:
                self.assertIn("quantization_config", json.load(f)["text_config"])
        self.assertEqual(tensors["language_model.model.layers.0.self_attn.A_log"].dtype, torch.float32)
        self.assertEqual(tensors["language_model.lm_head.weight"].dtype, torch.bfloat16)
        loaded = setup.K3(setup.TINY, torch.float32)
        export.load_tensors(loaded, tensors)
        again = export.checkpoint_tensors(loaded, packed=True)
        for name, tensor in tensors.items():
            if name.endswith("_packed"):                                     # the sign of a zero is lost
                scale = name.replace("_packed", "_scale")
                tensor, again[name] = (mxfp4.unpack(t[name], t[scale]) for t in (tensors, again))
            self.assertTrue(torch.equal(again[name], tensor), name)
        experts = loaded.layers[1].block_sparse_moe.experts
        original = model.layers[1].block_sparse_moe.experts
        error = ((experts.w1 - original.w1).norm() / original.w1.norm()).item()
        self.assertTrue(0.01 < error < 0.2, error)

    def test_a_missing_tensor_is_named(self):
        model = setup.K3(setup.TINY, torch.float32)
        tensors = export.checkpoint_tensors(model, packed=True)
        del tensors["language_model.model.norm.weight"]
        with self.assertRaisesRegex(KeyError, "language_model.model.norm.weight"):
            export.load_tensors(model, tensors)

    def test_shards_respect_the_limit(self):
        tensors = {f"t{i}": torch.zeros(100) for i in range(7)}
        parts = export.shards(tensors, 1000)
        self.assertEqual([len(p) for p in parts], [2, 2, 2, 1])


class Scoring(unittest.TestCase):
    def test_replies(self):
        w = np.array([0, 0, 1, 1, .1, 0, 0, .3, 1, 1, 1, .1])
        self.assertEqual([[tuple(r) for r in reply] for reply in evaluate.replies(w, False)], [[(2, 4)], [(8, 11)]])
        self.assertEqual([[tuple(r) for r in reply] for reply in evaluate.replies(w, True)], [[(2, 4), (8, 11)]])

    def test_exact_counts_whole_replies(self):
        class Perfect(evaluate.Scorer):
            def __init__(self, wrong):
                self.wrong = wrong

            def run(self, samples, look=None):
                out = []
                for sample in samples:
                    best = sample.ids[1:].copy()
                    best[self.wrong] += 1
                    out.append((best, None))
                return out

        sample = setup.sample(12, [], 0)
        sample.weights[:] = [0, 0, 1, 1, .1, 0, 0, .3, 1, 1, 1, .1]
        turns = [dict(answer="one", accept=[]), dict(answer="two", accept=["2"])]
        item = evaluate.Item(sample, False, turns)
        self.assertEqual(Perfect([0, 4]).forced([item]).result()["exact"], 1.0)
        score = Perfect([8]).forced([item])
        self.assertEqual(score.result(), dict(questions=2, exact=0.5, tokens=0.8))
        self.assertEqual(score.missed, [(0, 8, turns[1])])
        score.written = 1
        self.assertEqual(score.result(), dict(questions=2, exact=0.5, right=1.0, tokens=0.8))

    def test_written_replies_count_where_they_are_accepted(self):
        class Writer(evaluate.Scorer):
            def __init__(self):
                self.model = None

            def embeddings(self, samples):
                return [torch.zeros(len(s.ids), 2) for s in samples]

        class Words:
            def decode(self, ids):
                return {1: "2<|close|>", 2: "three<|close|>", 3: "so.<|close|>think<|sep|><|open|>response<|sep|>One.<|close|>"}[ids[0]]

        sample, kept = setup.sample(12, [], 0), evaluate.greedy.continuations
        turns = [dict(answer="one", accept=[]), dict(answer="two", accept=["2"]), dict(answer="four", accept=[])]
        score = evaluate.Score([evaluate.Item(sample, False, turns)])
        for number, turn in enumerate(turns):
            score.count(0, 3 + number, turn, np.array([False]))
        score.count(0, evaluate.WRITTEN + 1, turns[0], np.array([False]))
        evaluate.greedy.continuations = lambda model, prompts, limit, stop: [[{3: 3, 4: 1, 5: 2}[len(p)]] for p in prompts]
        try:
            Writer().write([score], Words())
        finally:
            evaluate.greedy.continuations = kept
        self.assertEqual((score.questions, score.written), (4, 2))


if __name__ == "__main__":
    unittest.main()
