// libpng leaves by longjmp: functions that call it have no object with a destructor, and what they
// must free lies in a struct outside of them.
#include <csetjmp>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include <png.h>

#include "THpng.h"

namespace {

thread_local char message[256];

struct Source {
  const uint8_t* data;
  size_t size;
  size_t at;
};

void on_error(png_structp png, png_const_charp text) {
  std::snprintf(message, sizeof message, "%s", text);
  png_longjmp(png, 1);
}

void on_warning(png_structp, png_const_charp) {}

void take(png_structp png, png_bytep to, size_t count) {
  auto* source = static_cast<Source*>(png_get_io_ptr(png));
  if (count > source->size - source->at) {
    png_error(png, "the file ends early");
  }
  std::memcpy(to, source->data + source->at, count);
  source->at += count;
}

void append(png_structp png, png_bytep bytes, size_t count) {
  auto* file = static_cast<THPng_File*>(png_get_io_ptr(png));
  // Grown by halves: many small chunks are not copied each time. The capacity follows the size.
  size_t capacity = 4096;
  while (capacity < file->size) {
    capacity += capacity / 2;
  }
  if (file->data == nullptr || capacity - file->size < count) {
    while (capacity - file->size < count) {
      capacity += capacity / 2;
    }
    auto* grown = static_cast<uint8_t*>(std::realloc(file->data, capacity));
    if (grown == nullptr) {
      png_error(png, "out of memory");
    }
    file->data = grown;
  }
  std::memcpy(file->data + file->size, bytes, count);
  file->size += count;
}

void flush(png_structp) {}

struct Reading {
  png_structp png = nullptr;
  png_infop info = nullptr;
  png_bytepp rows = nullptr;
  Source source{};

  ~Reading() {
    std::free(rows);
    png_destroy_read_struct(&png, &info, nullptr);
  }
};

struct Writing {
  png_structp png = nullptr;
  png_infop info = nullptr;

  ~Writing() { png_destroy_write_struct(&png, &info); }
};

/// The header and what comes before the pixels; only what changes pixels is read.
bool begin(Reading* r) {
  if (setjmp(png_jmpbuf(r->png)) != 0) {
    return false;
  }
  png_set_read_fn(r->png, &r->source, take);
  png_set_keep_unknown_chunks(r->png, PNG_HANDLE_CHUNK_NEVER, nullptr, -1);
  png_set_user_limits(r->png, 0x7fffffff, 0x7fffffff);
  png_set_chunk_malloc_max(r->png, 1 << 20);
  png_read_info(r->png, r->info);
  return true;
}

void describe(const Reading& r, THPng_Header* h) {
  const int type = png_get_color_type(r.png, r.info);
  const bool alpha =
      (type & PNG_COLOR_MASK_ALPHA) != 0 || png_get_valid(r.png, r.info, PNG_INFO_tRNS) != 0;
  h->width = png_get_image_width(r.png, r.info);
  h->height = png_get_image_height(r.png, r.info);
  h->channels = ((type & PNG_COLOR_MASK_COLOR) != 0 ? 3 : 1) + (alpha ? 1 : 0);
  h->bits = png_get_bit_depth(r.png, r.info) == 16 ? 16 : 8;
  h->raw = h->height * static_cast<int64_t>(png_get_rowbytes(r.png, r.info) + 1);
}

bool read_pixels(Reading* r, uint8_t* pixels, const THPng_Header& h) {
  if (setjmp(png_jmpbuf(r->png)) != 0) {
    return false;
  }
  png_set_expand(r->png);  // palettes, fewer than 8 bits, transparent colours
  png_read_update_info(r->png, r->info);
  const auto row = static_cast<size_t>(h.width * h.channels * (h.bits / 8));
  if (png_get_rowbytes(r->png, r->info) != row) {
    png_error(r->png, "rows are not as long as the header says");
  }
  const auto count = static_cast<size_t>(h.height);
  r->rows = static_cast<png_bytepp>(std::calloc(count, sizeof(png_bytep)));
  if (r->rows == nullptr) {
    png_error(r->png, "out of memory");
  }
  for (size_t i = 0; i < count; ++i) {
    r->rows[i] = pixels + i * row;
  }
  png_read_image(r->png, r->rows);
  png_read_end(r->png, nullptr);
  return true;
}

const char* open(Reading* r, const uint8_t* file, size_t size) {
  r->source = {file, size, 0};
  r->png = png_create_read_struct(PNG_LIBPNG_VER_STRING, nullptr, on_error, on_warning);
  r->info = r->png != nullptr ? png_create_info_struct(r->png) : nullptr;
  if (r->info == nullptr) {
    return "out of memory";
  }
  return begin(r) ? nullptr : message;
}

bool write(Writing* w, THPng_File* file, const uint8_t* pixels, int64_t width, int64_t height,
           int32_t channels, int32_t bits) {
  static constexpr int types[] = {PNG_COLOR_TYPE_GRAY, PNG_COLOR_TYPE_GRAY_ALPHA,
                                  PNG_COLOR_TYPE_RGB, PNG_COLOR_TYPE_RGB_ALPHA};
  if (setjmp(png_jmpbuf(w->png)) != 0) {
    return false;
  }
  if (channels < 1 || channels > 4 || width < 1 || height < 1 || width > 0x7fffffff ||
      height > 0x7fffffff) {
    png_error(w->png, "a PNG has 1 to 4 channels and up to 2^31 - 1 rows and columns");
  }
  png_set_write_fn(w->png, file, append, flush);
  png_set_user_limits(w->png, 0x7fffffff, 0x7fffffff);
  png_set_IHDR(w->png, w->info, static_cast<png_uint_32>(width), static_cast<png_uint_32>(height),
               bits, types[channels - 1], PNG_INTERLACE_NONE, PNG_COMPRESSION_TYPE_DEFAULT,
               PNG_FILTER_TYPE_DEFAULT);
  png_write_info(w->png, w->info);
  for (int64_t y = 0; y < height; ++y) {
    png_write_row(w->png, pixels + y * width * channels * (bits / 8));
  }
  png_write_end(w->png, w->info);
  return true;
}

}  // namespace

const char* THPng_header(THPng_Header* header, const uint8_t* file, size_t size) {
  Reading r;
  const char* failure = open(&r, file, size);
  if (failure == nullptr) {
    describe(r, header);
  }
  return failure;
}

const char* THPng_read(uint8_t* pixels, size_t capacity, const uint8_t* file, size_t size) {
  Reading r;
  const char* failure = open(&r, file, size);
  if (failure != nullptr) {
    return failure;
  }
  THPng_Header h;
  describe(r, &h);
  const auto needed = static_cast<size_t>(h.height) * static_cast<size_t>(h.width) *
                      static_cast<size_t>(h.channels * (h.bits / 8));
  if (needed > capacity) {
    return "there is no room for the pixels";
  }
  return read_pixels(&r, pixels, h) ? nullptr : message;
}

const char* THPng_write(THPng_File* file, const uint8_t* pixels, int64_t width, int64_t height,
                        int32_t channels, int32_t bits) {
  *file = {nullptr, 0};
  Writing w;
  w.png = png_create_write_struct(PNG_LIBPNG_VER_STRING, nullptr, on_error, on_warning);
  w.info = w.png != nullptr ? png_create_info_struct(w.png) : nullptr;
  if (w.info == nullptr) {
    return "out of memory";
  }
  if (!write(&w, file, pixels, width, height, channels, bits)) {
    THPng_free(file);
    return message;
  }
  return nullptr;
}

void THPng_free(THPng_File* file) {
  std::free(file->data);
  *file = {nullptr, 0};
}
