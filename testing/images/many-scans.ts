import { makeSegment } from '#server/cleaning/jpeg/jpeg-segments.ts'

const [SOI, EOI] = [Buffer.from([0xff, 0xd8]), Buffer.from([0xff, 0xd9])]

/** A grey progressive JPEG of `side` x `side` pixels that refines its coefficients, all of them zero, one by one and bit by bit:
 *  up to 883 scans, a few bytes each, all of them legal. */
export function manyScans(side: number, scans: number): Buffer {
  const blocks = Math.ceil(side / 8) ** 2
  const size = [side >> 8, side & 255]
  const scan = (coefficient: number, approximation: number) =>
    makeSegment(0xda, Buffer.from([1, 1, 0, coefficient, coefficient, approximation]))
  const ends = endsOfBlocks(blocks)
  const refinements = Array.from({ length: scans - 1 }, (_, index) => {
    const bit = 13 - (index % 14)
    return Buffer.concat([scan(1 + Math.floor(index / 14), bit === 13 ? 13 : ((bit + 1) << 4) | bit), ends])
  })
  return Buffer.concat([
    SOI,
    makeSegment(0xdb, Buffer.concat([Buffer.from([0]), Buffer.alloc(64, 1)])),
    makeSegment(0xc2, Buffer.from([8, ...size, ...size, 1, 1, 0x11, 0])),
    makeSegment(0xc4, Buffer.concat([huffman(0, [0]), huffman(0x10, runs)])),
    scan(0, 0),
    Buffer.alloc(blocks),
    ...refinements,
    EOI,
  ])
}

/** Symbols that end 2^n blocks at least. */
const runs = Array.from({ length: 15 }, (_, n) => n << 4)

/** A table with codes of eight bits, which are the indices of their symbols. */
const huffman = (id: number, symbols: readonly number[]): Buffer =>
  Buffer.from([id, 0, 0, 0, 0, 0, 0, 0, symbols.length, ...Array<number>(8).fill(0), ...symbols])

/** The codes that say of so many blocks that the rest of their coefficients is zero. */
function endsOfBlocks(blocks: number): Buffer {
  let bits = ''
  for (let left = blocks; left > 0; ) {
    const n = Math.min(14, Math.floor(Math.log2(left)))
    const run = Math.min(left, 2 ** (n + 1) - 1)
    bits += n.toString(2).padStart(8, '0')
    if (n > 0) bits += (run - 2 ** n).toString(2).padStart(n, '0')
    left -= run
  }
  const bytes = (bits.match(/.{1,8}/g) ?? []).map((byte) => Number.parseInt(byte.padEnd(8, '1'), 2))
  return Buffer.from(bytes.flatMap((byte) => (byte === 0xff ? [byte, 0] : [byte])))
}
