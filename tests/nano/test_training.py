# SPDX-License-Identifier: Apache-2.0
"""Batches, the feed of worker processes, the optimizer and whole training steps."""
import multiprocessing
import tempfile
import unittest
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import torch

import nano_setup as setup
import config
from batch import Batch, Capacity, Packer, grid_cells
from checkup import Checkup
from feed import Feed
from muon import MuonAdamW, orthogonalize
from step import GraphedSteps, train_step
import train

CAPACITY = Capacity(tokens=512, sequences=96, patches=2560, items=32, media_tokens=600)


def packed(samples, longest=128):
    """Arrays and places of a batch of these samples."""
    packer = Packer(CAPACITY, setup.TINY, longest)
    assert all(packer.add(s, i) for i, s in enumerate(samples))
    memory = np.full(CAPACITY.offsets()[1], 255, np.uint8)                   # poison: write() must set everything
    arrays = CAPACITY.arrays(memory)
    return arrays, packer.write(arrays), memory


class Batches(unittest.TestCase):
    def test_layout(self):
        samples = [setup.sample(20, [(1, 2, 2)], 1), setup.sample(100, [(2, 4, 2), (1, 2, 6)], 2), setup.sample(33, [], 3)]
        arrays, places, _ = packed(samples)
        starts = arrays["starts"].tolist()
        self.assertEqual(starts[:4], [0, 112, 160, 192])
        self.assertEqual(starts[-1], 512)
        self.assertTrue(all(0 <= b - a <= 128 and a % 16 == 0 for a, b in zip(starts, starts[1:])))
        for sample, (a, b) in zip(samples, places):
            self.assertTrue((arrays["ids"][a:b] == sample.ids).all())
            self.assertTrue((arrays["targets"][a:b - 1] == sample.ids[1:]).all())
            self.assertTrue((arrays["weights"][a:b - 1] == sample.weights[1:]).all())
            self.assertEqual(arrays["weights"][b - 1], 0)
            self.assertEqual(arrays["pos"][a], 0)
        self.assertAlmostEqual(float(arrays["weights"].sum()), sum(float(s.weights[1:].sum()) for s in samples), places=3)
        used = arrays["target"][arrays["target"] < 512]
        self.assertEqual(sorted(used.tolist()), np.flatnonzero(arrays["ids"] == setup.MEDIA_PAD).tolist())
        self.assertEqual(len(set(arrays["target"].tolist())), CAPACITY.media_tokens)
        self.assertEqual(arrays["item_starts"].tolist()[:4], [0, 4, 20, 32])
        self.assertEqual(arrays["item_starts"][-1], CAPACITY.patches)
        self.assertLessEqual(np.diff(arrays["item_starts"]).max(), 256)
        self.assertAlmostEqual(float(arrays["share"].sum()), 4 + 8 + 12, places=4)

    def test_full_buffers_refuse(self):
        packer = Packer(CAPACITY, setup.TINY, 128)
        taken = sum(packer.add(setup.sample(120, [], i), 0) for i in range(6))
        self.assertEqual(taken, 4)
        with self.assertRaisesRegex(ValueError, "129 tokens.*128"):
            packer.add(setup.sample(129, [], 0), 0)

    def test_grid_cells(self):
        cells, weights = grid_cells(6, 6, 6, 6)
        self.assertTrue(np.allclose((weights * (cells == np.arange(36)[:, None])).sum(1), 1))
        for h, w in ((2, 4), (12, 10)):
            cells, weights = grid_cells(h, w, 6, 6)
            grid = torch.randn(36, 5)
            want = torch.nn.functional.interpolate(grid.T.reshape(1, 5, 6, 6), (h, w), mode="bilinear", align_corners=False)
            got = (grid[torch.from_numpy(cells.astype(np.int64))] * torch.from_numpy(weights)[..., None]).sum(1)
            self.assertTrue(torch.allclose(got.T.reshape(5, h, w), want[0], atol=1e-5))


class Toy:
    """Samples that repeat their first half, which can only be learned by looking back."""

    def draw(self, r, packer):
        if packer.room < 48:
            return None
        sample = setup.sample(32, [], int(r.integers(1 << 30)))
        sample.ids[16:] = sample.ids[:16]
        sample.weights[:16], sample.weights[16:] = 0, 1
        return sample, 0

    def longest(self, r, progress):
        return 32 if progress < 0.5 else 64


class Feeding(unittest.TestCase):
    def test_feed(self):
        feed = Feed(CAPACITY, setup.TINY, Toy, workers=2, slots=6, stock=3, seed=(1,))
        try:
            seen = []
            for _ in range(4):
                slot, longest, fresh = feed.next(32)
                arrays = CAPACITY.arrays(feed.slot_memory(slot))
                self.assertEqual((longest, arrays["head"][0]), (32, 32))
                if fresh:
                    seen.append(arrays["ids"].copy())
                feed.release(slot, longest)
            self.assertGreaterEqual(len(seen), 1)
            self.assertFalse(any((a == b).all() for i, a in enumerate(seen) for b in seen[:i]))
            self.assertEqual(feed.drain_problems(), [])
        finally:
            feed.close()

    def test_a_failing_source_is_reported(self):
        def broken():
            raise KeyError("no data")
        feed = Feed(CAPACITY, setup.TINY, broken, workers=1, slots=2, stock=1, seed=(1,))
        with self.assertRaisesRegex(RuntimeError, "no data"):
            feed.next()
        feed.close()


class Checkups(unittest.TestCase):
    def test_a_part_of_every_suite_is_packed(self):
        folder = Path(__file__).resolve().parents[1] / "eval"
        vocabulary = folder.parents[1] / "resources" / "nano"
        checkup = Checkup(Capacity(tokens=32768, patches=20480), config.NANO, folder, vocabulary, slots=40)
        checkup.process.join(timeout=120)
        questions = dict.fromkeys(checkup.names, 0)
        for slot, longest in checkup.slots_ready():
            arrays = checkup.capacity.arrays(checkup.slot_memory(slot))
            self.assertEqual(arrays["head"][0], longest)
            for suite, (right, count) in train.answer_accuracy(arrays["targets"], arrays, checkup.names).items():
                self.assertEqual(right, count)
                questions[suite] += count
        self.assertEqual([suite for suite, count in questions.items() if count < 12], [])


class Optimizer(unittest.TestCase):
    def test_orthogonalize(self):
        for shape in ((3, 24, 40), (40, 24)):
            s = torch.linalg.svdvals(orthogonalize(torch.randn(*shape)).float())
            self.assertGreater(s.min().item(), 0.3)
            self.assertLess(s.max().item(), 1.4)

    def test_gradients_that_are_not_finite_change_nothing(self):
        model = setup.K3(setup.TINY, torch.float32)
        optimizer = MuonAdamW(model)
        before = [p.detach().clone() for p in model.parameters()]
        optimizer.flat.fill_(float("nan"))
        optimizer.step()
        self.assertEqual(optimizer.skipped.item(), 1)
        self.assertTrue(all(torch.equal(a, b) for a, b in zip(before, model.parameters())))
        self.assertTrue(all(torch.isfinite(m).all() for group in optimizer.groups for m in group.moments))


class Training(unittest.TestCase):
    def batch(self):
        samples = [setup.sample(60, [(1, 4, 4)], i) for i in range(4)]
        _, _, memory = packed(samples)
        return Batch.of(CAPACITY.tensors(torch.from_numpy(memory)), 128, CAPACITY.sequence_limit(128))

    def test_loss_falls_and_every_parameter_learns(self):
        torch.manual_seed(0)
        model, batch = setup.K3(setup.TINY, torch.float32), self.batch()
        optimizer = MuonAdamW(model)
        before = {n: p.detach().clone() for n, p in model.named_parameters()}
        losses = [train_step(model, optimizer, batch)[0].item() for _ in range(20)]
        self.assertLess(losses[-1], 0.5 * losses[0])
        still = [n for n, p in model.named_parameters() if torch.equal(p, before[n])
                 and "layers.0.self_attention_res" not in n]                 # the first layer has no depth to attend to
        self.assertEqual(still, [])

    def test_resume_continues_exactly(self):
        def run(steps, model, optimizer):
            return [train_step(model, optimizer, batch)[0].item() for _ in range(steps)]

        batch, models = self.batch(), []
        for _ in range(2):
            torch.manual_seed(3)
            models.append(setup.K3(setup.TINY, torch.float32))
        optimizers = [MuonAdamW(m) for m in models]
        whole = run(6, models[0], optimizers[0])
        run(3, models[1], optimizers[1])
        fresh = setup.K3(setup.TINY, torch.float32)
        fresh.load_state_dict(models[1].state_dict())
        optimizer = MuonAdamW(fresh)
        optimizer.load_state_dict(optimizers[1].state_dict())
        for a, b in zip(run(3, fresh, optimizer), whole[3:]):
            self.assertAlmostEqual(a, b, places=4)


def two_ranks(rank, folder, board, losses):
    """One of two processes that train together; puts the loss of every step and the sum of its parameters."""
    args = SimpleNamespace(out=folder, seed=5, gpus=2, workers=1, slots=4, steps=4, minutes=5.0, eager=True, start=None, peak=1.0, flat=0.35, round_from=0.35, lengthen=False)
    trainer = train.run_rank(args, rank, board, CAPACITY, setup.TINY, Toy)
    digest = sum(p.double().abs().sum().item() for p in trainer.model.parameters())
    losses.put((rank, trainer.step, trainer.feed.progress.value > 0, digest))


class Ranks(unittest.TestCase):
    @unittest.skipIf(torch.cuda.is_available(), "the same code runs with NCCL there")
    def test_two_ranks_stay_equal(self):
        context, board = multiprocessing.get_context("fork"), train.Board()
        losses = context.Queue()
        with tempfile.TemporaryDirectory() as folder:
            processes = [context.Process(target=two_ranks, args=(rank, folder, board, losses)) for rank in range(2)]
            for process in processes:
                process.start()
            found = sorted(losses.get(timeout=120) for _ in processes)
            for process in processes:
                process.join()
        self.assertEqual([f[:3] for f in found], [(0, 4, True), (1, 4, True)])
        self.assertEqual(found[0][3], found[1][3])


@unittest.skipUnless(torch.cuda.is_available(), "needs a GPU")
class OnGpu(unittest.TestCase):
    """The real configuration in bfloat16 with the fused kernels, against float32 without them on the CPU."""

    def batch(self):
        capacity = Capacity(tokens=1024, sequences=96, patches=3072, items=64, media_tokens=600)
        packer = Packer(capacity, config.NANO, 512)
        for i, grids in enumerate(([(1, 4, 6), (4, 8, 8)], [], [(1, 16, 16)])):
            sample = setup.sample(250, grids, i)
            sample.ids[sample.ids == setup.MEDIA_PAD] = config.MEDIA_PAD
            self.assertTrue(packer.add(sample, 0))
        memory = np.zeros(capacity.offsets()[1], np.uint8)
        packer.write(capacity.arrays(memory))
        return capacity, torch.from_numpy(memory)

    def model(self, dtype):
        torch.manual_seed(0)
        model = setup.K3(config.NANO, dtype)
        with torch.no_grad():                                                # outputs that matter, spread decays stay
            for name, p in model.named_parameters():
                if name.endswith(("o_proj.weight", "down_proj.weight", "up_proj.weight", "wo.weight", "fc1.weight")):
                    p.mul_(10.0)
        return model

    def test_same_loss_and_gradients(self):
        capacity, memory = self.batch()
        models = [self.model(torch.float32), self.model(torch.bfloat16).cuda()]
        losses, gradients = [], []
        for model, bytes_ in zip(models, (memory, memory.cuda())):
            batch = Batch.of(capacity.tensors(bytes_), 512, capacity.sequence_limit(512))
            loss = model.loss(model(batch)[0], batch)
            loss.backward()
            losses.append(loss.item())
            gradients.append({n: p.grad.cpu() for n, p in model.named_parameters() if p.grad is not None})
        self.assertAlmostEqual(losses[0], losses[1], delta=0.02)
        for name, want in gradients[0].items():
            if not name.endswith(("gate.weight",)) and "experts.w" not in name and want.norm() > 1e-4:
                cosine = torch.nn.functional.cosine_similarity(want.flatten(), gradients[1][name].flatten(), dim=0)
                self.assertGreater(cosine.item(), 0.95, name)                # chosen experts differ at near-ties

    def test_graphs_train_like_single_kernels(self):
        capacity, memory = self.batch()
        memory = memory.cuda()
        losses = []
        for graphed in (False, True):
            model = self.model(torch.bfloat16).cuda()
            optimizer = MuonAdamW(model)
            batch = Batch.of(capacity.tensors(memory), 512, capacity.sequence_limit(512))
            steps = GraphedSteps(model, optimizer, lambda flat: None)
            run = (lambda: steps(512, batch)) if graphed else (lambda: train_step(model, optimizer, batch))
            losses.append([run()[0].item() for _ in range(8)])
        self.assertLess(losses[0][-1], losses[0][0] - 0.5)
        for a, b in zip(*losses):
            self.assertAlmostEqual(a, b, delta=0.05)


if __name__ == "__main__":
    unittest.main()
