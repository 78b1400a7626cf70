# SPDX-License-Identifier: Apache-2.0
"""The weighted mean of two checkpoints of one training line: python3 average.py --a FOLDER --b FOLDER --share 0.3 --out FOLDER

A training that went on from B and practised some tasks more than others gains there and loses elsewhere; a mean of its
end (A, the unrounded `master`) and its start (B) keeps most of the gain and gets much of the loss back.  The routed
experts are averaged unrounded and packed afterwards.  --share: the weight of B.
"""
import argparse

import torch

import config as configuration
import export
from model import K3


@torch.no_grad()
def average(a, b, share):
    """Moves the model `a` towards `b`: (1 - share) a + share b, parameters and buffers."""
    theirs = b.state_dict()
    for name, mine in a.state_dict().items():
        mine.copy_((1.0 - share) * mine + share * theirs[name])


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--a", required=True, help="folder of a checkpoint, packed or not")
    parser.add_argument("--b", required=True, help="another one")
    parser.add_argument("--share", type=float, required=True, help="weight of the second, 0 to 1")
    parser.add_argument("--out", required=True, help="folder of the packed result")
    args = parser.parse_args()
    a, b = (K3(configuration.NANO, torch.float32) for _ in range(2))
    export.load_tensors(a, export.read_checkpoint(args.a))
    export.load_tensors(b, export.read_checkpoint(args.b))
    average(a, b, args.share)
    export.write_checkpoint(a, args.out, packed=True)


if __name__ == "__main__":
    main()
