// SPDX-License-Identifier: Apache-2.0
// google.protobuf.Any: a message of any type, as bytes.
#pragma once

#include <ingot/core/detail/config.hpp>

#include <cstddef>
#include <string>
#include <vector>

namespace ingot { inline namespace INGOT_V1 { namespace protobuf {

/// A member of this type, annotated with `proto_well_known`, is a `google.protobuf.Any`. To read
/// the message, call `read` with the bytes in `value`, for the type that `type_url` names. To set
/// `value`, call `write` for this type.
struct any {
  std::string type_url;         ///< "type.googleapis.com/" and the full name of the message
  std::vector<std::byte> value; ///< the message as protobuf's bytes

  friend bool operator==(const any&, const any&) = default;
};

}}} // namespace ingot::INGOT_V1::protobuf
