/** Set in the number of an AC coefficients' table. */
export const AC = 0x10

/** Codes by the next 16 bits of the stream: bits of code and value in the lowest five, the step among 64 coefficients above. */
export type CodeTable = Uint16Array

/** A block's tables. */
export interface Block {
  readonly dc: CodeTable
  readonly ac: CodeTable
}

/** More than a block can have: 64 codes of 31 bits at most. */
export const BLOCK_BYTES = 256

/**
 * The codes of a table as DHT has it: its number, how many codes there are of 1 to 16 bits, and what they stand for. Codes
 * of one length follow one another, and each length goes on from the one before (T.81, annex C). Null for too many.
 */
export function codeTable(source: Buffer, isDc: boolean): CodeTable | null {
  const [counts, symbols] = [source.subarray(1, 17), source.subarray(17)]
  const table = new Uint16Array(65_536)
  let [code, index] = [0, 0]
  for (const [row, count] of counts.entries()) {
    const span = 1 << (15 - row)
    for (let left = count; left > 0; left -= 1, index += 1, code += span) {
      if (code + span > table.length) return null
      const symbol = symbols.readUInt8(index)
      table.fill(((isDc ? 0 : stepOf(symbol)) << 5) | (row + 1 + (symbol & 15)), code, code + span)
    }
  }
  return table
}

/** Coefficients that a symbol stands for: its run of zeros and one value, sixteen zeros, or all that are left. */
function stepOf(symbol: number): number {
  return symbol === 0xf0 ? 16 : symbol & 15 ? (symbol >> 4) + 1 : 64
}

/** Coded data without its stuffing, and BLOCK_BYTES of zeros behind. */
export interface CodedData {
  readonly bytes: Uint8Array
  /** Without those zeros. */
  readonly length: number
}

/** Bytes, the last one perhaps in part, that `units` times these blocks take; null when there are fewer, or at a code that is none. */
export function countOff({ bytes, length }: CodedData, units: number, blocks: readonly Block[]): number | null {
  let position = 0
  for (let unit = 0; unit < units; unit += 1) {
    for (const block of blocks) {
      position = skipBlock(bytes, position, block)
      if (position < 0 || position > length * 8) return null
    }
  }
  return (position + 7) >>> 3
}

/** The bit behind a block; -1 at a code that is none. */
function skipBlock(bytes: Uint8Array, start: number, { dc, ac }: Block): number {
  const first = dc[nextBits(bytes, start)] ?? 0
  if (first === 0) return -1
  let position = start + (first & 31)
  for (let coefficient = 1; coefficient < 64; ) {
    const entry = ac[nextBits(bytes, position)] ?? 0
    if (entry === 0) return -1
    position += entry & 31
    coefficient += entry >>> 5
  }
  return position
}

function nextBits(bytes: Uint8Array, position: number): number {
  const at = position >>> 3
  const three = ((bytes[at] ?? 0) << 16) | ((bytes[at + 1] ?? 0) << 8) | (bytes[at + 2] ?? 0)
  return (three >>> (8 - (position & 7))) & 0xffff
}
