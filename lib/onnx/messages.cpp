// Names of fields come from Lua, so all that this file knows of ONNX is ModelProto.
#include <cmath>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include <google/protobuf/io/coded_stream.h>
#include <google/protobuf/io/zero_copy_stream_impl_lite.h>
#include <google/protobuf/stubs/logging.h>
#include <onnx/onnx_pb.h>

#include "THonnx.h"

namespace {

using google::protobuf::FieldDescriptor;
using google::protobuf::Message;

// Deeper nests of messages than any graph has are refused by the parser.
constexpr int kDeepest = 100;

thread_local std::string text;

const char* fail(std::string what) {
  text = std::move(what);
  return text.c_str();
}

Message& from(THonnx_Message* message) { return *reinterpret_cast<Message*>(message); }

const Message& from(const THonnx_Message* message) {
  return *reinterpret_cast<const Message*>(message);
}

THonnx_Message* to(Message* message) { return reinterpret_cast<THonnx_Message*>(message); }

int kind_of(const FieldDescriptor& field) {
  switch (field.cpp_type()) {
    case FieldDescriptor::CPPTYPE_MESSAGE:
      return THONNX_MESSAGE;
    case FieldDescriptor::CPPTYPE_STRING:
      return THONNX_BYTES;
    case FieldDescriptor::CPPTYPE_FLOAT:
    case FieldDescriptor::CPPTYPE_DOUBLE:
      return THONNX_NUMBER;
    default:
      return THONNX_INTEGER;
  }
}

const FieldDescriptor* find(const Message& message, const char* name) {
  return message.GetDescriptor()->FindFieldByName(name);
}

const char* unknown(const Message& message, const char* name) {
  return fail(message.GetDescriptor()->name() + " has no such field " + name);
}

int64_t integer(const Message& message, const FieldDescriptor& field, int index) {
  const auto& reflection = *message.GetReflection();
  const bool repeats = field.is_repeated();
  switch (field.cpp_type()) {
    case FieldDescriptor::CPPTYPE_INT32:
      return repeats ? reflection.GetRepeatedInt32(message, &field, index)
                     : reflection.GetInt32(message, &field);
    case FieldDescriptor::CPPTYPE_INT64:
      return repeats ? reflection.GetRepeatedInt64(message, &field, index)
                     : reflection.GetInt64(message, &field);
    case FieldDescriptor::CPPTYPE_UINT64:
      return static_cast<int64_t>(repeats ? reflection.GetRepeatedUInt64(message, &field, index)
                                          : reflection.GetUInt64(message, &field));
    default:
      return repeats ? reflection.GetRepeatedEnumValue(message, &field, index)
                     : reflection.GetEnumValue(message, &field);
  }
}

double number(const Message& message, const FieldDescriptor& field, int index) {
  const auto& reflection = *message.GetReflection();
  const bool repeats = field.is_repeated();
  if (field.cpp_type() == FieldDescriptor::CPPTYPE_FLOAT) {
    return repeats ? reflection.GetRepeatedFloat(message, &field, index)
                   : reflection.GetFloat(message, &field);
  }
  return repeats ? reflection.GetRepeatedDouble(message, &field, index)
                 : reflection.GetDouble(message, &field);
}

void add_integer(Message& message, const FieldDescriptor& field, int64_t value) {
  const auto& reflection = *message.GetReflection();
  const bool repeats = field.is_repeated();
  switch (field.cpp_type()) {
    case FieldDescriptor::CPPTYPE_INT32: {
      const auto narrow = static_cast<int32_t>(value);
      return repeats ? reflection.AddInt32(&message, &field, narrow)
                     : reflection.SetInt32(&message, &field, narrow);
    }
    case FieldDescriptor::CPPTYPE_INT64:
      return repeats ? reflection.AddInt64(&message, &field, value)
                     : reflection.SetInt64(&message, &field, value);
    case FieldDescriptor::CPPTYPE_UINT64: {
      const auto unsign = static_cast<uint64_t>(value);
      return repeats ? reflection.AddUInt64(&message, &field, unsign)
                     : reflection.SetUInt64(&message, &field, unsign);
    }
    default: {
      const auto entry = static_cast<int>(value);
      return repeats ? reflection.AddEnumValue(&message, &field, entry)
                     : reflection.SetEnumValue(&message, &field, entry);
    }
  }
}

void add_number(Message& message, const FieldDescriptor& field, double value) {
  const auto& reflection = *message.GetReflection();
  const bool repeats = field.is_repeated();
  if (field.cpp_type() == FieldDescriptor::CPPTYPE_FLOAT) {
    const auto narrow = static_cast<float>(value);
    return repeats ? reflection.AddFloat(&message, &field, narrow)
                   : reflection.SetFloat(&message, &field, narrow);
  }
  return repeats ? reflection.AddDouble(&message, &field, value)
                 : reflection.SetDouble(&message, &field, value);
}

// What C++ throws, out of memory above all, must not pass through Lua.
template <class F>
const char* guarded(F f) {
  try {
    return f();
  } catch (const std::exception& error) {
    return fail(error.what());
  }
}

}  // namespace

const char* THonnx_new(THonnx_Message** model) {
  return guarded([&] {
    *model = to(new onnx::ModelProto);
    return nullptr;
  });
}

const char* THonnx_parse(THonnx_Message** model, const void* bytes, size_t size) {
  return guarded([&]() -> const char* {
    if (size > static_cast<size_t>(std::numeric_limits<int>::max())) {
      return fail("protobuf reads at most 2 GiB");
    }
    google::protobuf::LogSilencer quiet;
    google::protobuf::io::CodedInputStream stream(static_cast<const uint8_t*>(bytes),
                                                  static_cast<int>(size));
    stream.SetRecursionLimit(kDeepest);
    auto parsed = std::make_unique<onnx::ModelProto>();
    if (!parsed->ParseFromCodedStream(&stream) || !stream.ConsumedEntireMessage()) {
      return fail("these bytes are no ModelProto, or end early");
    }
    *model = to(parsed.release());
    return nullptr;
  });
}

void THonnx_free(THonnx_Message* model) { delete &from(model); }

const char* THonnx_size(const THonnx_Message* model, size_t* size) {
  *size = from(model).ByteSizeLong();
  return *size > static_cast<size_t>(std::numeric_limits<int>::max())
             ? fail("protobuf writes at most 2 GiB")
             : nullptr;
}

const char* THonnx_write(const THonnx_Message* model, void* bytes, size_t size) {
  return guarded([&]() -> const char* {
    return from(model).SerializeToArray(bytes, static_cast<int>(size))
               ? nullptr
               : fail("protobuf did not write the model");
  });
}

int32_t THonnx_fields(const THonnx_Message* message, THonnx_Field* fields, int32_t capacity) {
  const Message& m = from(message);
  std::vector<const FieldDescriptor*> set;
  m.GetReflection()->ListFields(m, &set);
  int32_t count = 0;
  for (const FieldDescriptor* field : set) {
    if (count < capacity) {
      fields[count] = {field->name().c_str(),
                       field->is_repeated() ? m.GetReflection()->FieldSize(m, field) : 1,
                       field->number(), kind_of(*field), field->is_repeated()};
    }
    ++count;
  }
  return count;
}

const THonnx_Message* THonnx_message(const THonnx_Message* message, int32_t field, int64_t index) {
  const Message& m = from(message);
  const FieldDescriptor* f = m.GetDescriptor()->FindFieldByNumber(field);
  const auto& reflection = *m.GetReflection();
  const Message& inner = f->is_repeated()
                             ? reflection.GetRepeatedMessage(m, f, static_cast<int>(index))
                             : reflection.GetMessage(m, f);
  return reinterpret_cast<const THonnx_Message*>(&inner);
}

const char* THonnx_bytes(const THonnx_Message* message, int32_t field, int64_t index,
                         size_t* size) {
  const Message& m = from(message);
  const FieldDescriptor* f = m.GetDescriptor()->FindFieldByNumber(field);
  const auto& reflection = *m.GetReflection();
  std::string unused;
  const std::string& bytes = f->is_repeated() ? reflection.GetRepeatedStringReference(
                                                    m, f, static_cast<int>(index), &unused)
                                              : reflection.GetStringReference(m, f, &unused);
  *size = bytes.size();
  return bytes.data();
}

void THonnx_integers(const THonnx_Message* message, int32_t field, int64_t* to) {
  const Message& m = from(message);
  const FieldDescriptor* f = m.GetDescriptor()->FindFieldByNumber(field);
  const int count = f->is_repeated() ? m.GetReflection()->FieldSize(m, f) : 1;
  for (int i = 0; i < count; ++i) {
    to[i] = integer(m, *f, i);
  }
}

void THonnx_numbers(const THonnx_Message* message, int32_t field, double* to) {
  const Message& m = from(message);
  const FieldDescriptor* f = m.GetDescriptor()->FindFieldByNumber(field);
  const int count = f->is_repeated() ? m.GetReflection()->FieldSize(m, f) : 1;
  for (int i = 0; i < count; ++i) {
    const double x = number(m, *f, i);
    // Lua would take the bits of a file's NaN for a value of any type (torch.tensor.numbers).
    to[i] = std::isnan(x) ? std::numeric_limits<double>::quiet_NaN() : x;
  }
}

const char* THonnx_addMessage(THonnx_Message* message, const char* field, THonnx_Message** added) {
  return guarded([&]() -> const char* {
    Message& m = from(message);
    const FieldDescriptor* f = find(m, field);
    if (f == nullptr || kind_of(*f) != THONNX_MESSAGE) {
      return unknown(m, field);
    }
    const auto& reflection = *m.GetReflection();
    *added = to(f->is_repeated() ? reflection.AddMessage(&m, f) : reflection.MutableMessage(&m, f));
    return nullptr;
  });
}

const char* THonnx_addBytes(THonnx_Message* message, const char* field, const void* bytes,
                            size_t size) {
  return guarded([&]() -> const char* {
    Message& m = from(message);
    const FieldDescriptor* f = find(m, field);
    if (f == nullptr || kind_of(*f) != THONNX_BYTES) {
      return unknown(m, field);
    }
    std::string value(static_cast<const char*>(bytes), size);
    const auto& reflection = *m.GetReflection();
    f->is_repeated() ? reflection.AddString(&m, f, std::move(value))
                     : reflection.SetString(&m, f, std::move(value));
    return nullptr;
  });
}

const char* THonnx_addIntegers(THonnx_Message* message, const char* field, const int64_t* values,
                               int64_t count) {
  return guarded([&]() -> const char* {
    Message& m = from(message);
    const FieldDescriptor* f = find(m, field);
    if (f == nullptr || kind_of(*f) != THONNX_INTEGER) {
      return unknown(m, field);
    }
    for (int64_t i = 0; i < count; ++i) {
      add_integer(m, *f, values[i]);
    }
    return nullptr;
  });
}

const char* THonnx_addNumbers(THonnx_Message* message, const char* field, const double* values,
                              int64_t count) {
  return guarded([&]() -> const char* {
    Message& m = from(message);
    const FieldDescriptor* f = find(m, field);
    if (f == nullptr || kind_of(*f) != THONNX_NUMBER) {
      return unknown(m, field);
    }
    for (int64_t i = 0; i < count; ++i) {
      add_number(m, *f, values[i]);
    }
    return nullptr;
  });
}

int32_t THonnx_kind(const THonnx_Message* message, const char* field) {
  const FieldDescriptor* f = find(from(message), field);
  return f == nullptr ? -1 : kind_of(*f);
}
