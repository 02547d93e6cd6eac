/** Flag in the ID of a table for AC coefficients. */
export const AC = 0x10

/** Maps the next bits of the stream to a code: the lowest five bits hold the length of code and value in bits, the rest
 *  the step among the 64 coefficients. */
export type CodeTable = Uint16Array

/** The tables of a block: for one code by the next 16 bits, and for as many as fit into RUN_BITS, starting with the DC
 *  coefficient or with AC codes. */
export interface BlockTables {
  readonly dc: CodeTable
  readonly ac: CodeTable
  readonly first: CodeTable
  readonly runs: CodeTable
}

/** More than a block can occupy, 64 codes of 31 bits at most, plus the read-ahead after it. */
export const BLOCK_BYTES = 256

/** Codes and values of a photograph take about six bits, and tables of this size fit into a core's L1 cache. */
const RUN_BITS = 12
/** The step of a code that ends its block. */
const ALL = 64
/** Flag in the step of a run that ends its block; the sum of the earlier steps stays readable below it. */
const ENDS = 0x400
/** The next RUN_BITS contain no complete code: a step too long for any block. */
const NO_RUN = ALL << 5

/** Builds the code table of a DHT entry: its ID, the number of codes of 1 to 16 bits, and their symbols. Codes of one
 *  length are consecutive and continue from the shorter ones (T.81, annex C). Null when there are too many. */
export function codeTable(source: Buffer, isDc: boolean): CodeTable | null {
  const [counts, symbols] = [source.subarray(1, 17), source.subarray(17)]
  const table = new Uint16Array(65_536)
  let [code, index] = [0, 0]
  for (const [row, count] of counts.entries()) {
    const span = 1 << (15 - row)
    for (let left = count; left > 0; left -= 1, index += 1, code += span) {
      if (code + span > table.length) return null
      const symbol = symbols.readUInt8(index)
      table.fill(((isDc ? 1 : symbolStep(symbol)) << 5) | (row + 1 + (symbol & 15)), code, code + span)
    }
  }
  return table
}

/** Returns how many coefficients a symbol covers: a run of zeros and one value, sixteen zeros, or all the rest. */
function symbolStep(symbol: number): number {
  return symbol === 0xf0 ? 16 : symbol & 15 ? (symbol >> 4) + 1 : ALL
}

export const createBlock = (dc: CodeTable, ac: CodeTable): BlockTables => ({
  dc,
  ac,
  first: runTable(dc, ac),
  runs: runTable(ac, ac),
})

/** Lists what the next RUN_BITS contain: a code of `first` and following ones of `ac`, up to the end of the block.
 *  NO_RUN for none. */
function runTable(first: CodeTable, ac: CodeTable): CodeTable {
  const table = new Uint16Array(1 << RUN_BITS)
  for (let index = 0; index < table.length; index += 1) {
    const window = index << (16 - RUN_BITS)
    let [bits, steps] = [0, 0]
    // Bits shifted in after the window cannot belong to a code that ends within it.
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

/** Coded data without byte stuffing, followed by BLOCK_BYTES zeros. */
export interface CodedData {
  readonly bytes: Uint8Array
  /** Excludes those zeros. */
  readonly length: number
}

/** Returns how many bytes, counting a partial last one, `units` repetitions of these blocks occupy; null when the data
 *  is too short or has an invalid code. */
export function countOff({ bytes, length }: CodedData, units: number, blocks: readonly BlockTables[]): number | null {
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

/** Returns the bit after a block; -1 at an invalid code. Every coefficient of a photograph passes through here, so this
 *  is most of the cost of cleaning one. Each lookup depends on the previous one, so two share one read of 32 bits: at
 *  least 25 of these are from the stream, and two runs take at most 24. */
function skipBlock(view: DataView, start: number, { dc, ac, first, runs }: BlockTables): number {
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
    // A single code may have used up more bits.
    if ((entry & 31) > RUN_BITS) continue
    const next = runs[(bits << (entry & 31)) >>> (32 - RUN_BITS)] ?? NO_RUN
    if (passesEnd(next, coefficient)) continue
    position += next & 31
    coefficient += next >>> 5
    if (coefficient >= 64) return position
  }
}

/** Whether a run reaches beyond the last coefficient. It then includes codes of the next block, so the block's end is
 *  decoded code by code; the same for NO_RUN. */
const passesEnd = (entry: number, coefficient: number): boolean => ((entry >>> 5) & (ENDS - 1)) + coefficient >= 64
