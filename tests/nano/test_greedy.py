# SPDX-License-Identifier: Apache-2.0
"""Replies written token by token equal those of the whole model applied anew after each token."""
import unittest

import numpy as np
import torch

import nano_setup as setup
import greedy
from batch import Batch, Capacity, Packer, padded
from evaluate import response

STOP = 7


def whole(model, sample):
    """Embeddings [n, hidden] and logits [n, vocab] of one sample by the chunked form."""
    length = padded(len(sample.ids))
    capacity = Capacity(length, 96, 2560, 32, 600)
    packer = Packer(capacity, setup.TINY, length)
    assert packer.add(sample, 0)
    memory = np.zeros(capacity.offsets()[1], np.uint8)
    (_, end), = packer.write(capacity.arrays(memory))
    batch = Batch.of(capacity.tensors(torch.from_numpy(memory)), length, 96)
    return model.embed(batch)[:end], model.language_model.lm_head(model(batch)[0])[:end]


class Greedy(unittest.TestCase):
    @torch.no_grad()
    def test_equals_the_whole_model(self):
        model, samples, wanted = setup.randomized(torch.float64), [], []
        model.language_model.lm_head.weight[setup.MEDIA_PAD] = 0             # a reply holds no pictures
        for seed, (length, grids) in enumerate(((9, []), (33, [(1, 4, 4)]), (50, [(4, 2, 4), (1, 4, 6)]), (18, []))):
            samples.append(setup.sample(length, grids, seed))
            sample, ids = setup.sample(length, grids, seed), []
            while len(ids) < 24:
                best = int(whole(model, sample)[1][-1].argmax())
                if best == STOP:
                    break
                ids.append(best)
                sample.ids = np.append(sample.ids, np.uint16(best))
                sample.weights = np.append(sample.weights, np.float32(1))
            wanted.append(ids)
        found = greedy.continuations(model, [whole(model, s)[0] for s in samples], 24, STOP)
        self.assertEqual([f[:24] for f in found], wanted)
        self.assertGreater(len({tuple(w) for w in wanted}), 2)
        self.assertFalse(any("forward" in vars(layer.self_attn) for layer in model.layers))

    def test_response_is_the_last_channel(self):
        close = "<|close|>response<|sep|><|close|>message<|sep|>"
        self.assertEqual(response("Left." + close), "Left.")
        self.assertEqual(response("1 a, 2 b.<|close|>think<|sep|><|open|>response<|sep|>2." + close), "2.")


if __name__ == "__main__":
    unittest.main()
