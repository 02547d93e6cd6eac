/** Set in the number of an AC coefficients' table. */
export const AC = 0x10

/** Codes by the next bits of the stream: bits of code and value in the lowest five, the step among 64 coefficients above. */
export type CodeTable = Uint16Array

/** A block's tables: one code by the next 16 bits, and as many as RUN_BITS hold whole, the DC coefficient's with those behind it. */
export interface Block {
  readonly dc: CodeTable
  readonly ac: CodeTable
  readonly first: CodeTable
  readonly runs: CodeTable
}

/** More than a block can have, 64 codes of 31 bits at most, and what is read at once behind it. */
export const BLOCK_BYTES = 256

/** A photograph's codes and values take some six bits, and tables of this size stay in a core's nearest cache. */
const RUN_BITS = 12
/** The step of a code that ends its block. */
const ALL = 64
/** Set in a run's step when it ends its block, so that the steps before that stay readable below. */
const ENDS = 0x400
/** Where the next RUN_BITS hold no whole code: a step that is too long for any block. */
const NO_RUN = ALL << 5

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
      table.fill(((isDc ? 1 : stepOf(symbol)) << 5) | (row + 1 + (symbol & 15)), code, code + span)
    }
  }
  return table
}

/** Coefficients that a symbol stands for: its run of zeros and one value, sixteen zeros, or all that are left. */
function stepOf(symbol: number): number {
  return symbol === 0xf0 ? 16 : symbol & 15 ? (symbol >> 4) + 1 : ALL
}

export const blockOf = (dc: CodeTable, ac: CodeTable): Block => ({
  dc,
  ac,
  first: runTable(dc, ac),
  runs: runTable(ac, ac),
})

/** What the next RUN_BITS hold: a code of `first` and those of `ac` behind it, to the block's end at most. NO_RUN for none. */
function runTable(first: CodeTable, ac: CodeTable): CodeTable {
  const table = new Uint16Array(1 << RUN_BITS)
  for (let index = 0; index < table.length; index += 1) {
    const window = index << (16 - RUN_BITS)
    let [bits, steps] = [0, 0]
    // (What is shifted in behind the window is no part of a code that ends within it.)
    for (let codes = first; steps < ALL; codes = ac) {
      const entry = codes[(window << bits) & 0xffff] ?? 0
      const step = entry >>> 5
      if (entry === 0 || bits + (entry & 31) > RUN_BITS || (step < ALL && steps + step >= ALL)) break
      bits += entry & 31
      steps = step === ALL ? steps | ENDS : steps + step
    }
    table[index] = bits === 0 ? NO_RUN : (steps << 5) | bits
  }
  return table
}

/** Coded data without its stuffing, and BLOCK_BYTES of zeros behind. */
export interface CodedData {
  readonly bytes: Uint8Array
  /** Without those zeros. */
  readonly length: number
}

/** Bytes, the last one perhaps in part, that `units` times these blocks take; null when there are fewer, or at a code that is none. */
export function countOff({ bytes, length }: CodedData, units: number, blocks: readonly Block[]): number | null {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  let position = 0
  for (let unit = 0; unit < units; unit += 1) {
    for (const block of blocks) {
      position = skipBlock(view, position, block)
      if (position < 0 || position > length * 8) return null
    }
  }
  return (position + 7) >>> 3
}

/**
 * The bit behind a block; -1 at a code that is none. All of a photograph passes here: this is most of what cleaning one takes.
 * Each look depends on the one before, so that two of them go by bytes that are read once: of 32 bits at least 25 are
 * the stream's, and two runs take 24 at most.
 */
function skipBlock(view: DataView, start: number, { dc, ac, first, runs }: Block): number {
  let position = start
  let coefficient = 0
  let [table, single] = [first, dc]
  for (;;) {
    const bits = view.getUint32(position >>> 3) << (position & 7)
    let entry = table[bits >>> (32 - RUN_BITS)] ?? NO_RUN
    if (passesEnd(entry, coefficient)) {
      entry = single[bits >>> 16] ?? 0
      if (entry === 0) return -1
    }
    position += entry & 31
    coefficient += entry >>> 5
    if (coefficient >= 64) return position
    table = runs
    single = ac
    // A single code may have taken more.
    if ((entry & 31) > RUN_BITS) continue
    const next = runs[(bits << (entry & 31)) >>> (32 - RUN_BITS)] ?? NO_RUN
    if (passesEnd(next, coefficient)) continue
    position += next & 31
    coefficient += next >>> 5
    if (coefficient >= 64) return position
  }
}

/** A run that passes the last coefficient has codes of the next block, so it goes code by code there; so does what is no run. */
const passesEnd = (entry: number, coefficient: number): boolean => ((entry >>> 5) & (ENDS - 1)) + coefficient >= 64
