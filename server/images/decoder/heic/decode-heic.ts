import load, { type Libheif } from 'libheif-js/libheif-wasm/libheif-bundle.js'
import type { CreateRaw } from 'sharp'

/** Values of libheif's enumerations. */
const RGB = 1
const RGB_BYTES = 10
const RGBA_BYTES = 11
const INTERLEAVED = 10

/** Offsets in `heif_decoding_options`, which has two bytes and four pointers before them. */
const STRICT = 21

/** Pixels with 8 bits for each channel. `data` is in the memory of libheif, so it lasts as long as that is referenced. */
export interface HeicPixels {
  readonly data: Buffer
  readonly info: CreateRaw
}

/** Decodes the primary picture of a HEIC with its transformations applied. Throws on damage. Blocks until it is done. */
export function decodeHeic(bytes: Uint8Array): HeicPixels {
  const heif = load()
  const word = heif._malloc(4)
  const check = checker(heif)
  const file = heif._malloc(bytes.length)
  heif.HEAPU8.set(bytes, file)
  const context = heif._heif_context_alloc()
  check((error) => heif._heif_context_read_from_memory(error, context, file, bytes.length, 0))
  heif._free(file)
  const readWord = () => heif.HEAPU32[word >> 2] ?? 0
  check((error) => heif._heif_context_get_primary_image_handle(error, context, word))
  const handle = readWord()
  const hasAlpha = heif._heif_image_handle_has_alpha_channel(handle) === 1
  const isMultiplied = heif._heif_image_handle_is_premultiplied_alpha(handle) === 1
  const options = heif._heif_decoding_options_alloc()
  heif.HEAPU8[options + STRICT] = 1
  const chroma = hasAlpha ? RGBA_BYTES : RGB_BYTES
  check((error) => heif._heif_decode_image(error, handle, word, RGB, chroma, options))
  const image = readWord()
  if (heif._heif_image_get_decoding_warnings(image, 0, 0, 0) > 0) throw new Error('the picture is damaged')
  heif._heif_image_handle_release(handle)
  heif._heif_context_free(context)
  const width = heif._heif_image_get_width(image, INTERLEAVED)
  const height = heif._heif_image_get_height(image, INTERLEAVED)
  const plane = heif._heif_image_get_plane_readonly(image, INTERLEAVED, word)
  const channels = hasAlpha ? 4 : 3
  const data = withoutPadding(heif, { plane, stride: readWord(), row: width * channels, height })
  return { data, info: { width, height, channels, premultiplied: isMultiplied } }
}

/** Returns a function that calls one of libheif's, and throws the error that it wrote. */
function checker(heif: Libheif) {
  const error = heif._malloc(16)
  return (call: (error: number) => void) => {
    call(error)
    const code = heif.HEAPU32[error >> 2]
    if (code !== 0) throw new Error(`libheif: error ${code}`)
  }
}

interface Plane {
  readonly plane: number
  readonly stride: number
  readonly row: number
  readonly height: number
}

/** Moves the rows together where they are, which takes no memory. */
function withoutPadding({ HEAPU8 }: Libheif, { plane, stride, row, height }: Plane): Buffer {
  for (let line = 1; line < height; line += 1) {
    const start = plane + line * stride
    HEAPU8.copyWithin(plane + line * row, start, start + row)
  }
  return Buffer.from(HEAPU8.buffer, plane, row * height)
}
