#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""`pal bench` beside llama-bench of llama.cpp on one CPU, as JSON: tokens/s of a prompt and of decoding, and their ratios. The model has the
dimensions of Kimi-Linear with 16 experts per layer, seeded random weights, experts in MXFP4 and the rest in bf16; it is made by `pal random`
and written again as GGUF, weight for weight. Each round runs both programs one after the other on as many threads. Rounds are added to those
that the output file holds. Needs numpy, and of llama.cpp a built llama-bench and the folder gguf-py.

  peers_llama.py --pal build/dev/app/cli/pal --llama-bench .../bin/llama-bench --gguf-py .../gguf-py --folder FOLDER --out llama.json
"""
import argparse
import json
import math
import pathlib
import statistics
import subprocess
import sys

try:
    import numpy as np
except ImportError:
    sys.exit("peers_llama: numpy is not installed (Debian: python3-numpy, for /usr/bin/python3)")

ROOT = pathlib.Path(__file__).resolve().parents[2]
EXPERTS = 16
GROUP = 32  # columns that share a scale of MXFP4


class Checkpoint:
    """The tensors of a folder of safetensors, as bytes."""

    def __init__(self, folder):
        self.config = json.loads((folder / "config.json").read_text())
        self.entries = {}
        for path in sorted(folder.glob("*.safetensors")):
            data = np.memmap(path, np.uint8, "r")
            begin = 8 + int(data[:8].view("<u8")[0])
            for name, entry in json.loads(data[8:begin].tobytes()).items():
                if name != "__metadata__":
                    first, end = entry["data_offsets"]
                    self.entries[name] = (entry["dtype"], entry["shape"], data[begin + first:begin + end])

    def raw(self, name):
        """A matrix of bf16 numbers or of bytes, row by row."""
        dtype, shape, data = self.entries[name]
        return data.view({"BF16": np.uint16, "U8": np.uint8}[dtype]).reshape(shape)

    def floats(self, name):
        dtype, shape, data = self.entries[name]
        values = data.view(np.float32) if dtype == "F32" else (data.view(np.uint16).astype(np.uint32) << 16).view(np.float32)
        return values.reshape(shape)


def mxfp4_blocks(packed, scale):
    """GGUF has the scale before the 16 bytes of its group, and column j beside j + 16 where a checkpoint has 2 j beside 2 j + 1."""
    rows, groups = scale.shape
    pairs = packed.reshape(rows, groups, GROUP // 2)
    codes = np.stack([pairs & 15, pairs >> 4], axis=-1).reshape(rows, groups, GROUP)
    out = np.empty((rows, groups, 1 + GROUP // 2), np.uint8)
    out[..., 0] = scale
    out[..., 1:] = codes[..., :GROUP // 2] | codes[..., GROUP // 2:] << 4
    return out.reshape(rows, -1)


def key_values(writer, gguf, config):
    linear, layers = config["linear_attn_config"], config["num_hidden_layers"]
    latent = config["kv_lora_rank"] + config["qk_rope_head_dim"]
    writer.add_tokenizer_model("none")
    writer.add_vocab_size(config["vocab_size"])
    writer.add_context_length(config["model_max_length"])
    writer.add_embedding_length(config["hidden_size"])
    writer.add_block_count(layers)
    writer.add_feed_forward_length(config["intermediate_size"])
    writer.add_head_count(config["num_attention_heads"])
    writer.add_head_count_kv([1 if layer + 1 in linear["full_attn_layers"] else 0 for layer in range(layers)])
    writer.add_layer_norm_rms_eps(config["rms_norm_eps"])
    writer.add_ssm_conv_kernel(linear["short_conv_kernel_size"])
    writer.add_kda_head_dim(linear["head_dim"])
    writer.add_kv_lora_rank(config["kv_lora_rank"])
    writer.add_rope_dimension_count(config["qk_rope_head_dim"])
    writer.add_key_length(latent)
    writer.add_value_length(config["kv_lora_rank"])
    writer.add_key_length_mla(config["qk_nope_head_dim"] + config["qk_rope_head_dim"])
    writer.add_value_length_mla(config["v_head_dim"])
    writer.add_expert_count(config["num_experts"])
    writer.add_expert_used_count(config["num_experts_per_token"])
    writer.add_expert_feed_forward_length(config["moe_intermediate_size"])
    writer.add_expert_shared_count(config["num_shared_experts"])
    writer.add_leading_dense_block_count(config["first_k_dense_replace"])
    writer.add_expert_weights_scale(config["routed_scaling_factor"])
    writer.add_expert_weights_norm(config["moe_renormalize"])
    writer.add_expert_gating_func(gguf.ExpertGatingFuncType.SIGMOID)


class Tensors:
    """What goes into the file: name -> (type, shape, how to make the bytes)."""

    def __init__(self, source, gguf):
        self.source, self.types, self.all = source, gguf.GGMLQuantizationType, {}
        self.plain("token_embd.weight", "model.embed_tokens.weight")
        self.vector("output_norm.weight", "model.norm.weight")
        self.plain("output.weight", "lm_head.weight")
        for layer in range(source.config["num_hidden_layers"]):
            self.layer(layer)

    def plain(self, name, of):
        self.all[name] = (self.types.BF16, self.source.entries[of][1], lambda: self.source.raw(of))

    def vector(self, name, of, shape=None, change=lambda x: x):
        shape = shape or self.source.entries[of][1]
        self.all[name] = (self.types.F32, shape, lambda: change(self.source.floats(of)).reshape(shape))

    def layer(self, layer):
        to, attention = f"blk.{layer}.", f"model.layers.{layer}.self_attn."
        self.vector(to + "attn_norm.weight", f"model.layers.{layer}.input_layernorm.weight")
        self.vector(to + "ffn_norm.weight", f"model.layers.{layer}.post_attention_layernorm.weight")
        self.plain(to + "attn_q.weight", attention + "q_proj.weight")
        self.plain(to + "attn_output.weight", attention + "o_proj.weight")
        if layer + 1 in self.source.config["linear_attn_config"]["full_attn_layers"]:
            self.mla(to, attention)
        else:
            self.kda(to, attention)
        if layer < self.source.config["first_k_dense_replace"]:
            for part in ("gate", "up", "down"):
                self.plain(f"{to}ffn_{part}.weight", f"model.layers.{layer}.mlp.{part}_proj.weight")
        else:
            self.mixture(to, f"model.layers.{layer}.block_sparse_moe.")

    def kda(self, to, attention):
        config = self.source.config["linear_attn_config"]
        heads, channels = config["num_heads"], config["num_heads"] * config["head_dim"]
        self.plain(to + "attn_k.weight", attention + "k_proj.weight")
        self.plain(to + "attn_v.weight", attention + "v_proj.weight")
        for part in "qkv":
            shape = (1, channels, 1, config["short_conv_kernel_size"])
            self.vector(f"{to}ssm_conv1d_{part}.weight", f"{attention}{part}_conv1d.weight", shape)
        for part in ("f_a", "f_b", "g_a", "g_b"):
            self.plain(f"{to}ssm_{part}.weight", f"{attention}{part}_proj.weight")
        self.plain(to + "ssm_beta.weight", attention + "b_proj.weight")
        self.vector(to + "ssm_a", attention + "A_log", (1, 1, heads, 1), lambda x: -np.exp(x))
        self.vector(to + "ssm_dt.bias", attention + "dt_bias")
        self.vector(to + "ssm_norm.weight", attention + "o_norm.weight")

    def mla(self, to, attention):
        config = self.source.config
        heads, rank = config["num_attention_heads"], config["kv_lora_rank"]
        key, value = config["qk_nope_head_dim"], config["v_head_dim"]
        both = lambda: self.source.raw(attention + "kv_b_proj.weight").reshape(heads, key + value, rank)
        self.plain(to + "attn_kv_a_mqa.weight", attention + "kv_a_proj_with_mqa.weight")
        self.vector(to + "attn_kv_a_norm.weight", attention + "kv_a_layernorm.weight")
        self.all[to + "attn_k_b.weight"] = (self.types.BF16, (heads, rank, key), lambda: both()[:, :key].transpose(0, 2, 1))
        self.all[to + "attn_v_b.weight"] = (self.types.BF16, (heads, value, rank), lambda: both()[:, key:])

    def mixture(self, to, block):
        config = self.source.config
        self.vector(to + "ffn_gate_inp.weight", block + "gate.weight")
        self.vector(to + "exp_probs_b.bias", block + "gate.e_score_correction_bias")
        wide, narrow = config["hidden_size"], config["moe_intermediate_size"]
        for part, of, rows, cols in (("gate", "w1", narrow, wide), ("down", "w2", wide, narrow), ("up", "w3", narrow, wide)):
            self.plain(f"{to}ffn_{part}_shexp.weight", f"{block}shared_experts.{part}_proj.weight")
            self.all[f"{to}ffn_{part}_exps.weight"] = (
                self.types.MXFP4, (config["num_experts"], rows, cols // GROUP * (1 + GROUP // 2)),
                lambda of=of: np.stack([mxfp4_blocks(self.source.raw(f"{block}experts.{e}.{of}.weight_packed"),
                                                     self.source.raw(f"{block}experts.{e}.{of}.weight_scale"))
                                        for e in range(config["num_experts"])]))


def write_gguf(gguf, folder, path):
    source = Checkpoint(folder)
    writer = gguf.GGUFWriter(path, "kimi-linear")
    key_values(writer, gguf, source.config)
    tensors = Tensors(source, gguf).all
    dtypes = {"BF16": np.uint16, "F32": np.float32, "MXFP4": np.uint8}
    for name, (kind, shape, _) in tensors.items():
        dtype = np.dtype(dtypes[kind.name])
        writer.add_tensor_info(name, shape, dtype, math.prod(shape) * dtype.itemsize, kind)
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_ti_data_to_file()
    for _, _, make in tensors.values():
        writer.write_tensor_data(np.ascontiguousarray(make()))
    writer.close()


def output_of(command):
    print(" ".join(map(str, command)), file=sys.stderr)
    return json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)


def one_round(args, checkpoint, gguf_file):
    threads, prompt, tokens = str(args.threads), str(args.prompt), str(args.tokens)
    theirs = output_of([args.llama_bench, "-m", gguf_file, "-t", threads, "-p", prompt, "-n", tokens, "-r", "1", "-o", "json"])
    ours = output_of([args.pal, "bench", "-m", checkpoint, "--threads", threads, "-p", prompt, "-c", "1", "-n", tokens, "--json"])
    rates = {"llama_prompt": next(run["avg_ts"] for run in theirs if run["n_prompt"] > 0),
             "llama_decode": next(run["avg_ts"] for run in theirs if run["n_gen"] > 0),
             "pal_prompt": ours["prefill"][0]["tokens_per_second"],
             "pal_decode": ours["decode"][0]["tokens_per_second"],
             "plain_read_bytes_per_second": ours["stream_bytes_per_second"]}
    rates["prompt_ratio"] = rates["pal_prompt"] / rates["llama_prompt"]
    rates["decode_ratio"] = rates["pal_decode"] / rates["llama_decode"]
    return rates, {key: theirs[0].get(key) for key in ("build_commit", "cpu_info", "backends", "model_type", "model_size")}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--pal", type=pathlib.Path, required=True)
    parser.add_argument("--llama-bench", type=pathlib.Path, required=True)
    parser.add_argument("--gguf-py", type=pathlib.Path, required=True)
    parser.add_argument("--folder", type=pathlib.Path, required=True, help="where both models lie or are made: 11 GB")
    parser.add_argument("--out", type=pathlib.Path, required=True)
    parser.add_argument("--rounds", type=int, default=1)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--prompt", type=int, default=512)
    parser.add_argument("--tokens", type=int, default=32)
    args = parser.parse_args()
    sys.path.insert(0, str(args.gguf_py))
    import gguf

    checkpoint, gguf_file = args.folder / "kl16", args.folder / "kl16.gguf"
    if not checkpoint.exists():
        subprocess.run([args.pal, "random", ROOT / "tests/data/configs/kimi-linear-48b.json", checkpoint,
                        "--experts", str(EXPERTS), "--mxfp4-experts"], check=True)
    if not gguf_file.exists():
        partial = gguf_file.with_suffix(".partial")
        write_gguf(gguf, checkpoint, partial)
        partial.rename(gguf_file)
    report = json.loads(args.out.read_text()) if args.out.exists() else {"runs": []}
    for _ in range(args.rounds):
        rates, peer = one_round(args, checkpoint, gguf_file)
        report["peer"] = peer
        report["runs"].append(rates)
    report["command"] = f"peers_llama.py --threads {args.threads} --prompt {args.prompt} --tokens {args.tokens}"
    report["median"] = {key: statistics.median(run[key] for run in report["runs"]) for key in report["runs"][0]}
    args.out.write_text(json.dumps(report, indent=1) + "\n")


if __name__ == "__main__":
    main()
