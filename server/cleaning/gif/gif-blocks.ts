/** Returns the bytes of a colour table: 2 to 256 entries of 3 bytes, if the flags announce one. */
export const colourTableBytes = (flags: number) => (flags & 0x80 ? 3 << ((flags & 7) + 1) : 0)

/** Returns the end of the data sub-blocks that begin at `start`; null when they do not end (GIF89a, 15). */
export function subBlocksEnd(bytes: Buffer, start: number): number | null {
  for (let at = start; ; ) {
    const size = bytes[at]
    if (size === undefined) return null
    at += 1 + size
    if (size === 0) return at
  }
}

/** Returns the contents of the sub-blocks between two offsets. */
export function joinSubBlocks(bytes: Buffer, start: number, end: number): Buffer {
  const joined = Buffer.allocUnsafe(end - start)
  let filled = 0
  for (let at = start; at < end; at += 1 + (bytes[at] ?? 0)) {
    filled += bytes.copy(joined, filled, at + 1, at + 1 + (bytes[at] ?? 0))
  }
  return joined.subarray(0, filled)
}

const FULL = 255

/** Returns `data` in sub-blocks, all full except the last, with the terminator. */
export function splitSubBlocks(data: Buffer): Buffer {
  const split = Buffer.alloc(data.length + Math.ceil(data.length / FULL) + 1)
  let filled = 0
  for (let at = 0; at < data.length; at += FULL) {
    const size = Math.min(FULL, data.length - at)
    split[filled] = size
    data.copy(split, filled + 1, at, at + size)
    filled += 1 + size
  }
  return split
}
