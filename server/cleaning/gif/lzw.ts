const MAX_CODE_SIZE = 12
const MAX_CODES = 1 << MAX_CODE_SIZE

/** Where the end code belongs: right after the code of the last pixel. */
interface LzwEnd {
  readonly bit: number
  readonly codeSize: number
}

/** Returns the part of an image's LZW data that holds its pixels, then the end code and zero bits up to the next byte.
 *  Null when the data is damaged or has too few pixels (GIF89a, appendix F). `data` is without sub-blocks. */
export function cutLzw(data: Buffer, minimumCodeSize: number, pixels: number): Buffer | null {
  const end = findEnd(data, minimumCodeSize, pixels)
  if (!end) return null
  const cut = Buffer.alloc(Math.ceil((end.bit + end.codeSize) / 8))
  data.copy(cut, 0, 0, Math.ceil(end.bit / 8))
  const endCode = (1 << minimumCodeSize) + 1
  const [byte, shift] = [end.bit >>> 3, end.bit & 7]
  let rest = ((cut[byte] ?? 0) & ((1 << shift) - 1)) | (endCode << shift)
  for (let at = byte; at < cut.length; at += 1, rest >>>= 8) cut[at] = rest
  return cut
}

/** Decodes only the lengths of strings, not their pixels. */
function findEnd(data: Buffer, minimumCodeSize: number, pixels: number): LzwEnd | null {
  const clearCode = 1 << minimumCodeSize
  const firstCode = clearCode + 2
  const lengths = new Uint16Array(MAX_CODES).fill(1, 0, clearCode)
  const bits = data.length * 8
  let codeSize = minimumCodeSize + 1
  let codes = firstCode
  /** Length of the last code's string; 0 after a clear code, when only a pixel or another clear code may follow. */
  let last = 0
  let left = pixels
  let bit = 0
  while (left > 0) {
    if (bit + codeSize > bits) return null
    const code = codeAt(data, bit, codeSize)
    bit += codeSize
    if (code === clearCode) {
      codeSize = minimumCodeSize + 1
      codes = firstCode
      last = 0
      continue
    }
    if (code === clearCode + 1 || (last === 0 ? code > clearCode : code > codes)) return null
    if (last > 0 && codes < MAX_CODES) {
      lengths[codes] = last + 1
      codes += 1
      // A full table stays unchanged until it is cleared.
      if (codes === 1 << codeSize && codeSize < MAX_CODE_SIZE) codeSize += 1
    }
    last = lengths[code] ?? 0
    left -= last
  }
  return { bit, codeSize }
}

function codeAt(data: Buffer, bit: number, codeSize: number): number {
  const byte = bit >>> 3
  const word = (data[byte] ?? 0) | ((data[byte + 1] ?? 0) << 8) | ((data[byte + 2] ?? 0) << 16)
  return (word >>> (bit & 7)) & ((1 << codeSize) - 1)
}
