# SPDX-License-Identifier: Apache-2.0
"""Checkpoints in the published layout: safetensors shards with an index, config.json, processor and tokenizer files."""
import argparse
import json
import os
import struct

import numpy as np
import torch

import config as configuration
import mxfp4
from model import K3

DTYPES = {"F64": torch.float64, "F32": torch.float32, "BF16": torch.bfloat16, "I64": torch.int64, "I32": torch.int32,
          "U8": torch.uint8}
NAMES = {v: k for k, v in DTYPES.items()}
SHARD_BYTES = 15 << 20
KEPT_FLOAT32 = ("A_log", "dt_bias", "conv1d.weight", "o_norm.weight", "e_score_correction_bias")


def write_safetensors(path, tensors):
    """{name: tensor} as one file; widest dtypes first, so that every tensor is aligned without holes."""
    header, blobs, at = {}, [], 0
    for name in sorted(tensors, key=lambda n: (-tensors[n].element_size(), n)):
        t = tensors[name].detach().cpu().contiguous()
        raw = t.reshape(-1).view(torch.uint8).numpy().tobytes()
        header[name] = {"dtype": NAMES[t.dtype], "shape": list(t.shape), "data_offsets": [at, at + len(raw)]}
        blobs.append(raw)
        at += len(raw)
    head = json.dumps(header, separators=(",", ":")).encode()
    head += b" " * (-len(head) % 8)
    with open(path, "wb") as f:
        f.write(struct.pack("<Q", len(head)) + head + b"".join(blobs))


def read_safetensors(path):
    """One file as {name: tensor}."""
    with open(path, "rb") as f:
        (size,) = struct.unpack("<Q", f.read(8))
        header, body = json.loads(f.read(size)), np.frombuffer(f.read(), np.uint8)
    out = {}
    for name, info in header.items():
        if name != "__metadata__":
            a, b = info["data_offsets"]
            out[name] = torch.from_numpy(body[a:b].copy()).view(DTYPES[info["dtype"]]).reshape(info["shape"])
    return out


def is_expert(name):
    return ".experts.w" in name


@torch.no_grad()
def checkpoint_tensors(model, packed, storage=torch.bfloat16):
    """{checkpoint name: tensor}; routed experts one by one, as MXFP4 pairs if `packed`, other matrices in `storage`."""
    out = {}
    for name, tensor in model.state_dict().items():
        if is_expert(name):
            stem, which = name.rsplit(".", 1)
            for e, w in enumerate(tensor):
                target = f"{stem}.{e}.{which}.weight"
                if packed:
                    out[target + "_packed"], out[target + "_scale"] = mxfp4.pack(w)
                else:
                    out[target] = w.to(storage)
        else:
            keep = storage == torch.bfloat16 and name.endswith(KEPT_FLOAT32)
            out[name] = tensor.float() if keep else tensor.to(storage)
    return out


@torch.no_grad()
def load_tensors(model, tensors):
    """Fill the model from checkpoint tensors, packed or not.  Every parameter must be there with its shape."""
    state = model.state_dict()
    for name, value in state.items():
        if is_expert(name):
            stem, which = name.rsplit(".", 1)
            for e in range(len(value)):
                source = f"{stem}.{e}.{which}.weight"
                value[e].copy_(tensors[source] if source in tensors else
                               mxfp4.unpack(tensors[source + "_packed"], tensors[source + "_scale"]))
        elif value.shape != tensors[name].shape:
            raise ValueError(f"{name}: shape {tuple(tensors[name].shape)}, expected {tuple(value.shape)}")
        else:
            value.copy_(tensors[name])


def shards(tensors, limit=SHARD_BYTES):
    """Split into dictionaries of at most `limit` bytes, names in order."""
    out, size = [{}], 0
    for name in sorted(tensors):
        bytes_ = tensors[name].numel() * tensors[name].element_size()
        if size + bytes_ > limit and out[-1]:
            out.append({})
            size = 0
        out[-1][name] = tensors[name]
        size += bytes_
    return out


def write_checkpoint(model, folder, packed):
    """Weights, index and config.json."""
    os.makedirs(folder, exist_ok=True)
    parts, where, total = shards(checkpoint_tensors(model, packed)), {}, 0
    for i, part in enumerate(parts):
        file = f"model-{i + 1:05d}-of-{len(parts):05d}.safetensors"
        write_safetensors(os.path.join(folder, file), part)
        where.update(dict.fromkeys(part, file))
        total += sum(t.numel() * t.element_size() for t in part.values())
    write_json(folder, "model.safetensors.index.json", dict(metadata=dict(total_size=total), weight_map=where))
    write_json(folder, "config.json", configuration.packed(model.config) if packed else model.config)


def read_checkpoint(folder):
    """{name: tensor} of all shards."""
    tensors = {}
    for file in sorted(os.listdir(folder)):
        if file.endswith(".safetensors"):
            tensors.update(read_safetensors(os.path.join(folder, file)))
    return tensors


def write_json(folder, name, value):
    with open(os.path.join(folder, name), "w") as f:
        json.dump(value, f, indent=1)
        f.write("\n")


def write_processor_files(folder):
    """What the program needs beside weights and vocabulary.  The limits are the sizes the model was trained on."""
    vision = configuration.VISION
    cells = vision["init_pos_emb_height"] * vision["init_pos_emb_width"]
    write_json(folder, "generation_config.json", dict(
        bos_token_id=configuration.BOS, eos_token_id=configuration.END_OF_MESSAGE, pad_token_id=configuration.PAD,
        max_length=configuration.TEXT["max_position_embeddings"], temperature=0.6, top_p=0.95))
    write_json(folder, "preprocessor_config.json", dict(
        processor_class="KimiK3Processor", media_proc_cfg=dict(
            patch_size=vision["patch_size"], merge_kernel_size=vision["merge_kernel_size"][0],
            in_patch_limit=cells, patch_limit_on_one_side=2 * vision["init_pos_emb_width"], fixed_output_tokens=None,
            image_mean=[0.5] * 3, image_std=[0.5] * 3, transparent_bg_fill_stage="after_resize",
            transparent_bg_config=dict(pattern="chessboard", chessboard_square_size=8, chessboard_square_on_top_left=True,
                                       chessboard_white_value=255, chessboard_gray_value=180),
            in_patch_limit_each_frame=cells // vision["init_pos_emb_time"], sample_fps=8.0,
            temporal_merge_kernel_size=vision["init_pos_emb_time"], in_patch_limit_video=None,
            max_num_frames_each_video=None, timestamp_mode="hh:mm:ss.fff")))


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--weights", required=True, help="folder with packed shards (train.py writes it)")
    parser.add_argument("--out", required=True, help="folder of the published model; vocabulary files are left alone")
    args = parser.parse_args()
    model = K3(configuration.NANO)
    load_tensors(model, read_checkpoint(args.weights))
    write_checkpoint(model, args.out, packed=True)           # rounding what is already rounded changes nothing
    write_processor_files(args.out)


if __name__ == "__main__":
    main()
