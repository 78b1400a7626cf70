# SPDX-License-Identifier: Apache-2.0
"""MXFP4: groups of 32 columns share a power-of-two scale; values are 0, .5, 1, 1.5, 2, 3, 4, 6 with a sign."""
import torch

GROUP = 32
VALUES = (0.0, 0.5, 1.0, 1.5, 2.0, 3.0, 4.0, 6.0)


def mxfp4_round(weight):
    """weight [..., C], C a multiple of 32 -> (rounded value / scale [..., C/32, 32], log2 of the scale [..., C/32, 1]).

    Scale 2^(floor(log2(max|w|)) - 2); nearest value, ties towards zero, saturating at 6.
    """
    groups = weight.detach().float().reshape(*weight.shape[:-1], -1, GROUP)
    top = groups.abs().amax(-1, keepdim=True).clamp_min(2.0 ** -120)
    exponent = (top.view(torch.int32) >> 23) - 129                           # biased exponent - 127 - 2
    x = groups * ((127 - exponent) << 23).view(torch.float32)
    size = x.abs()
    step = 0.5 + 0.5 * (size >= 2.0) + 1.0 * (size >= 4.0)
    return (torch.ceil(size / step - 0.5) * step).clamp_max(6.0) * x.sign(), exponent


def fake_quantize(weight, amount):
    """weight moved towards its MXFP4 rounding by `amount` (0-dim tensor, 0 off, 1 on); straight-through gradient."""
    value, exponent = mxfp4_round(weight)
    value = (value * ((exponent + 127) << 23).view(torch.float32)).reshape(weight.shape).to(weight.dtype)
    return weight + (amount * (value - weight)).detach()


def pack(weight):
    """[out, in] -> (packed uint8 [out, in/2], low nibble = even column; scale uint8 e8m0 [out, in/32])."""
    value, exponent = mxfp4_round(weight)
    size = value.abs().reshape(weight.shape)
    code = torch.where(size <= 2, 2 * size, torch.where(size <= 4, size + 2, torch.full_like(size, 7)))
    code = code.to(torch.uint8) + 8 * (weight < 0).to(torch.uint8)
    return code[:, 0::2] | (code[:, 1::2] << 4), (exponent[..., 0] + 127).to(torch.uint8)


def unpack(packed, scale):
    """The float32 matrix [out, in] of a packed pair."""
    table = torch.tensor(VALUES + tuple(-x for x in VALUES))
    values = torch.stack((table[(packed & 15).long()], table[(packed >> 4).long()]), -1).reshape(len(packed), -1, GROUP)
    return (values * torch.exp2(scale.float() - 127.0)[..., None]).reshape(len(packed), -1)
