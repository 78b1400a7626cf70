// SPDX-License-Identifier: Apache-2.0
#include "engine/model/tensor_type.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "engine/base/bytes.h"
#include "engine/base/check.h"

namespace pal {
namespace {

struct TypeRow {
    StorageType type;
    std::string_view name;
    uint64_t bytes;
};

constexpr std::array kTypes{
    TypeRow{StorageType::kBool, "BOOL", 1},      TypeRow{StorageType::kU8, "U8", 1},
    TypeRow{StorageType::kI8, "I8", 1},          TypeRow{StorageType::kF8E4M3, "F8_E4M3", 1},
    TypeRow{StorageType::kF8E5M2, "F8_E5M2", 1}, TypeRow{StorageType::kF8E8M0, "F8_E8M0", 1},
    TypeRow{StorageType::kU16, "U16", 2},        TypeRow{StorageType::kI16, "I16", 2},
    TypeRow{StorageType::kF16, "F16", 2},        TypeRow{StorageType::kBF16, "BF16", 2},
    TypeRow{StorageType::kU32, "U32", 4},        TypeRow{StorageType::kI32, "I32", 4},
    TypeRow{StorageType::kF32, "F32", 4},        TypeRow{StorageType::kU64, "U64", 8},
    TypeRow{StorageType::kI64, "I64", 8},        TypeRow{StorageType::kF64, "F64", 8},
};

const TypeRow& row(StorageType type) {
    return kTypes[static_cast<size_t>(type)];  // the table is in the order of the enumeration
}

}  // namespace

uint64_t storageBytes(StorageType type) {
    return row(type).bytes;
}

std::string_view storageTypeName(StorageType type) {
    return row(type).name;
}

std::optional<StorageType> storageTypeFromName(std::string_view name) {
    const auto it = std::ranges::find(kTypes, name, &TypeRow::name);
    if (it == kTypes.end()) return std::nullopt;
    return it->type;
}

TensorShape::TensorShape(std::initializer_list<int64_t> extents) {
    for (const int64_t extent : extents) PAL_CHECK(push(extent));
}

bool TensorShape::push(int64_t extent) {
    if (rank_ == kMaxRank) return false;
    extents_[rank_++] = extent;
    return true;
}

std::optional<uint64_t> TensorShape::checkedElements() const {
    std::optional<uint64_t> product = 1;
    for (const int64_t extent : extents()) {
        if (extent < 0) return std::nullopt;
        product = checkedMul(*product, static_cast<uint64_t>(extent));
        if (!product.has_value()) return std::nullopt;
    }
    return product;
}

uint64_t TensorShape::elements() const {
    const auto product = checkedElements();
    PAL_CHECK(product.has_value());
    return *product;
}

std::string TensorShape::text() const {
    return fmt::format("[{}]", fmt::join(extents(), ", "));
}

bool TensorShape::operator==(const TensorShape& other) const {
    return std::ranges::equal(extents(), other.extents());
}

}  // namespace pal
