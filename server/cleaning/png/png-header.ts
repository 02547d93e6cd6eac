/** The IHDR chunk (PNG 3rd edition, 11.2.1). */
export interface PngHeader {
  readonly width: number
  readonly height: number
  readonly colourType: number
  readonly bitDepth: number
  readonly interlaced: boolean
}

const depths = new Map([
  [0, [1, 2, 4, 8, 16]],
  [2, [8, 16]],
  [3, [1, 2, 4, 8]],
  [4, [8, 16]],
  [6, [8, 16]],
])

const channels = new Map([
  [0, 1],
  [2, 3],
  [3, 1],
  [4, 2],
  [6, 4],
])

const MAX_SIDE = 0x7fffffff

/** Returns null when a value is invalid. */
export function readPngHeader(data: Buffer): PngHeader | null {
  if (data.length !== 13) return null
  const [width, height] = [data.readUInt32BE(0), data.readUInt32BE(4)]
  const [bitDepth = 0, colourType = 0, compression, filter, interlace = 0] = data.subarray(8)
  if (width === 0 || height === 0 || width > MAX_SIDE || height > MAX_SIDE) return null
  if (!depths.get(colourType)?.includes(bitDepth) || compression !== 0 || filter !== 0 || interlace > 1) return null
  return { width, height, colourType, bitDepth, interlaced: interlace === 1 }
}

/** Rows of equal length, each including its filter byte. */
export interface Pass {
  readonly rowBytes: number
  readonly rows: number
}

/** The seven passes of Adam7: column and row of the first pixel, and the steps between pixels (PNG 3rd edition,
 *  8.1). */
const adam7 = [
  [0, 0, 8, 8],
  [4, 0, 8, 8],
  [0, 4, 4, 8],
  [2, 0, 4, 4],
  [0, 2, 2, 4],
  [1, 0, 2, 2],
  [0, 1, 1, 2],
] as const

/** Returns the rows of the decompressed data in order. Passes without pixels have none. */
export function listPasses({ width, height, colourType, bitDepth, interlaced }: PngHeader): Pass[] {
  const bits = bitDepth * (channels.get(colourType) ?? 1)
  const grids = interlaced ? adam7 : ([[0, 0, 1, 1]] as const)
  return grids.flatMap(([column, row, right, down]) => {
    const columns = Math.max(0, Math.ceil((width - column) / right))
    const rows = Math.max(0, Math.ceil((height - row) / down))
    return columns > 0 && rows > 0 ? [{ rowBytes: 1 + Math.ceil((columns * bits) / 8), rows }] : []
  })
}

const MAX_FILTER = 4

/** Returns a function that takes decompressed data piece by piece and returns false at the first invalid filter
 *  type. */
export function filterCheck(passes: readonly Pass[]): (piece: Buffer) => boolean {
  let pass = 0
  let row = 0
  /** Bytes from the start of the piece to the next row. */
  let ahead = 0
  return (piece) => {
    for (; ahead < piece.length; row += 1) {
      while (row >= (passes[pass]?.rows ?? Number.POSITIVE_INFINITY)) {
        pass += 1
        row = 0
      }
      const rowBytes = passes[pass]?.rowBytes
      if (rowBytes === undefined || (piece[ahead] ?? 0) > MAX_FILTER) return false
      ahead += rowBytes
    }
    ahead -= piece.length
    return true
  }
}
