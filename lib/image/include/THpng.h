// libpng for Lua: whole pictures between files in memory and rows of pixels. Nothing here knows of
// tensors. A function returns NULL, or what is wrong, a text that stays until the thread's next
// call.
#ifndef THPNG_H
#define THPNG_H

#ifndef TH_CDEF
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#pragma GCC visibility push(default)
#ifdef __cplusplus
extern "C" {
#endif
#endif

typedef struct {
  int64_t width, height;
  int32_t
      channels;  // 1 grey, 2 grey and alpha, 3 colours, 4 colours and alpha; palettes are colours
  int32_t bits;  // 8 or 16 for a sample; fewer count as 8
  int64_t raw;   // bytes that the file's rows have before they are compressed
} THPng_Header;

const char* THPng_header(THPng_Header* header, const uint8_t* file, size_t size);

// height * width * channels * bits / 8 bytes, 16-bit samples with their high byte first.
const char* THPng_read(uint8_t* pixels, size_t capacity, const uint8_t* file, size_t size);

// A file in memory, made by THPng_write; free it with THPng_free.
typedef struct {
  uint8_t* data;
  size_t size;
} THPng_File;

const char* THPng_write(THPng_File* file, const uint8_t* pixels, int64_t width, int64_t height,
                        int32_t channels, int32_t bits);
void THPng_free(THPng_File* file);

#ifndef TH_CDEF
#ifdef __cplusplus
}
#endif
#pragma GCC visibility pop
#endif
#endif
