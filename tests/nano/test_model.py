# SPDX-License-Identifier: Apache-2.0
"""The training model against the definition of its core and against the reference implementation."""
import sys
import unittest

import numpy as np
import torch

import nano_setup as setup
from batch import Batch, Capacity, Packer
import export
import kda
from kda_triton import KDATriton, kda_triton
from model import lengthen_memories
import mxfp4
from experts import imbalance

STARTS = torch.tensor([0, 48, 96, 112, 112], dtype=torch.int32)


def random_core(heads, dim, dtype=torch.float64, seed=0):
    """q, k, v, g, beta of 112 tokens with a mixture of slow, fast and saturated gates."""
    r = torch.Generator().manual_seed(seed)
    normal = lambda *s: torch.randn(*s, generator=r, dtype=dtype)
    unit = lambda x: x / x.norm(dim=-1, keepdim=True)
    q, k = unit(normal(112, heads, dim)) * dim ** -0.5, unit(normal(112, heads, dim))
    g = -5.0 * torch.sigmoid(4.0 * normal(112, heads, dim) - 3.0)
    return [q, k, normal(112, heads, dim), g, torch.sigmoid(normal(112, heads))]


def relative(a, b):
    return ((a.double() - b.double()).norm() / b.double().norm()).item()


def recurrent(*x):
    return kda.each_sequence(kda.kda_recurrent, x[:5], x[5])


def chunked(*x):
    return kda.each_sequence(kda.kda_chunked, x[:5], x[5])


class Core(unittest.TestCase):
    def test_chunked_equals_recurrent(self):
        for dtype, limit in ((torch.float64, 1e-12), (torch.float32, 1e-5)):
            x = random_core(3, 16, dtype)
            self.assertLess(relative(chunked(*x, STARTS), recurrent(*(t.double() for t in x), STARTS)), limit)

    def test_saturated_gates(self):
        x = random_core(2, 16, torch.float32)
        x[3] = torch.full_like(x[3], -4.9999)
        self.assertLess(relative(chunked(*x, STARTS), recurrent(*x, STARTS)), 1e-5)

    def test_sequences_do_not_see_each_other(self):
        x = random_core(2, 16)
        whole = chunked(*x, STARTS)
        x[2][:48] += 1.0
        self.assertTrue(torch.equal(chunked(*x, STARTS)[48:], whole[48:]))

    def test_gradient_equals_recurrent(self):
        x = [t.requires_grad_() for t in random_core(2, 16)]
        out = torch.randn(112, 2, 16, dtype=torch.float64)
        ga = torch.autograd.grad((chunked(*x, STARTS) * out).sum(), x)
        gb = torch.autograd.grad((recurrent(*x, STARTS) * out).sum(), x)
        for a, b in zip(ga, gb):
            self.assertLess(relative(a, b), 1e-10)


class Kernels(unittest.TestCase):
    def compare(self, gate, limit, device, dtype, dim, split):
        KDATriton.value_split, before = split, KDATriton.value_split
        x = [t.to(device) for t in random_core(2, dim, torch.float32)]
        x[3] = x[3] if gate is None else torch.full_like(x[3], gate)
        x = [t.to(dtype) if i < 3 else t for i, t in enumerate(x)]
        starts, out = STARTS.to(device), torch.randn(112, 2, dim, device=device) * 1e-6

        def run(function, inputs):
            leaves = [t.detach().requires_grad_() for t in inputs]
            o = function(*leaves, starts)
            return [o] + list(torch.autograd.grad(o, leaves, out.to(o.dtype)))

        for a, b in zip(run(kda_triton, x), run(recurrent, [t.double() for t in x])):
            self.assertLess(relative(a, b), limit)
        KDATriton.value_split = before

    @unittest.skipIf(torch.cuda.is_available(), "runs on the GPU instead")
    @unittest.skipUnless("triton_on_cpu" in sys.modules, "Triton without a GPU")
    def test_arithmetic(self):
        for gate in (None, -4.9999):
            self.compare(gate, 1e-5, "cpu", torch.float32, 32, 16)

    @unittest.skipUnless(torch.cuda.is_available(), "needs a GPU")
    def test_gpu(self):
        for gate in (None, -4.9999):
            self.compare(gate, 2e-2, "cuda", torch.bfloat16, 64, 32)


def small_batch(samples):
    capacity = Capacity(tokens=256, sequences=96, patches=512, items=16, media_tokens=64)
    packer = Packer(capacity, setup.TINY, 128)
    assert all(packer.add(s, 0) for s in samples)
    memory = np.zeros(capacity.offsets()[1], np.uint8)
    places = packer.write(capacity.arrays(memory))
    return Batch.of(capacity.tensors(torch.from_numpy(memory)), 128, capacity.sequence_limit(128)), places


def exact_pixels(patches):
    """What the model makes of the stored bytes, without the rounding of float32."""
    return torch.from_numpy(np.rint((patches.astype(np.float64) + 1.0) * 127.5)) * (2.0 / 255.0) - 1.0


SAMPLES = [setup.sample(50, [(1, 4, 6), (3, 2, 2)], 1), setup.sample(70, [], 2), setup.sample(40, [(1, 6, 6)], 3)]


@unittest.skipUnless(setup.k3ref, "PAL_SHARED is not set")
class Whole(unittest.TestCase):
    def compare(self, dtype, limit, packed=False):
        model = setup.randomized(dtype)
        model.round_experts(float(packed))
        batch, places = small_batch(SAMPLES)
        with torch.no_grad():
            final, loads, _ = model(batch)
            logits = model.language_model.lm_head(final)
        tensors = export.checkpoint_tensors(model, packed=packed, storage=dtype)
        text = setup.k3ref.Backbone(setup.TINY, tensors, dtype)
        vision = setup.k3ref.MoonViT(setup.TINY, tensors, dtype)
        for sample, (start, end) in zip(SAMPLES, places):
            ids = torch.from_numpy(sample.ids.astype(np.int64))
            x = text.embed(ids)
            rows = [vision.encode(exact_pixels(p).to(dtype), *grid) for p, grid in sample.media]
            if rows:
                x[ids == setup.MEDIA_PAD] = torch.cat(rows)
            self.assertLess(relative(logits[start:end], text.forward(x)), limit)
        self.assertEqual(loads.sum(1).tolist(), [2 * 256] * 4)

    def test_float64(self):
        self.compare(torch.float64, 1e-6)        # the time table is float32

    def test_float32(self):
        self.compare(torch.float32, 1e-5)

    def test_packed_experts(self):
        self.compare(torch.float64, 1e-6, packed=True)

    def test_mxfp4_packing(self):
        w = torch.randn(16, 96)
        w[0, 0], w[1, :32] = 0.25 * w[0].abs().max(), 0.0
        pair = mxfp4.pack(w)
        for a, b in zip(pair, setup.k3ref.quantize_mxfp4(w)):
            self.assertTrue(torch.equal(a, b))
        self.assertTrue(torch.equal(mxfp4.unpack(*pair).double(), setup.k3ref.dequantize_mxfp4(*pair, torch.float64)))


class Experts(unittest.TestCase):
    def test_gradient(self):
        torch.manual_seed(0)
        moe = setup.randomized(torch.float64).layers[1].block_sparse_moe
        x = torch.randn(5, 64, dtype=torch.float64, requires_grad=True)
        self.assertTrue(torch.autograd.gradcheck(lambda t: moe(t, torch.zeros(len(t)))[0], [x], atol=1e-4))

    def test_imbalance_of_the_marked_tokens(self):
        """1 for even use, the more the fewer experts are used; its gradient raises an idle expert at marked tokens only."""
        even = torch.eye(4)
        self.assertAlmostEqual(imbalance(torch.zeros(4, 4), even, torch.ones(4)).item(), 1.0, places=6)
        one = torch.zeros(4, 4)
        one[:, 0] = 1
        logits = torch.zeros(4, 4)
        logits[:, 0] = 3.0
        logits.requires_grad_()
        seen = torch.tensor([1.0, 1.0, 0.0, 0.0])
        worse = imbalance(logits, one, seen)
        self.assertGreater(worse.item(), 1.5)
        worse.backward()
        self.assertTrue((logits.grad[:2, 0] > 0).all() and (logits.grad[:2, 1:] < 0).all())
        self.assertEqual(logits.grad[2:].abs().max().item(), 0.0)
        self.assertEqual(imbalance(logits, one, torch.zeros(4)).item(), 0.0)


class Memories(unittest.TestCase):
    def test_lengthening_keeps_order_and_all_other_channels(self):
        model = setup.randomized(torch.float64)
        layer = model.layers[0].self_attn
        x = torch.randn(7, 64, dtype=torch.float64)
        decays = lambda: layer.before(x, torch.ones(64, dtype=torch.float64), torch.arange(7))[3]
        lives, before = layer.half_lives().flatten(), decays()
        lengthen_memories(model, share=0.25)
        now, after = layer.half_lives().flatten(), decays()
        slow = lives.sort()[1][-12:]
        self.assertTrue(torch.allclose(now[slow], torch.logspace(8, 12, 12, 2, dtype=torch.float64)))
        fast = [c for c in range(48) if c not in slow]
        self.assertTrue(torch.allclose(after.flatten(1)[:, fast], before.flatten(1)[:, fast]))
        self.assertEqual(layer.A_log.abs().max().item(), 0.0)


if __name__ == "__main__":
    unittest.main()
