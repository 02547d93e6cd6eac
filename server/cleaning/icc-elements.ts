/** The colour spaces of images and their channels. */
export const colourChannels: ReadonlyMap<string, number> = new Map([
  ['GRAY', 1],
  ['RGB ', 3],
  ['CMYK', 4],
])

/** Channels of the space that colours are related to. */
const CONNECTED = 3

const ofEverySpace = new Set(['wtpt', 'chad', 'cicp', 'A2B0', 'A2B1', 'A2B2', 'B2A0', 'B2A1', 'B2A2'])
const ofSpace = new Map([
  ['GRAY', new Set(['kTRC'])],
  ['RGB ', new Set(['rXYZ', 'gXYZ', 'bXYZ', 'rTRC', 'gTRC', 'bTRC'])],
])

/** Whether decoders compute colours of this space by that tag. */
export const isColourTag = (signature: string, space: string): boolean =>
  ofEverySpace.has(signature) || ofSpace.get(space)?.has(signature) === true

/** Returns the element of a colour tag with exactly the numbers of its type (ICC.1:2022, 10): without what follows them, and
 *  with zeros in reserved bytes. Null when the type does not suit the tag or the element is damaged. */
export function cleanElement(signature: string, space: string, data: Buffer): Buffer | null {
  try {
    return rewrite(signature, space, data)
  } catch (error) {
    if (error instanceof Malformed) return null
    throw error
  }
}

class Malformed extends Error {}

function rewrite(signature: string, space: string, data: Buffer): Buffer {
  const device = colourChannels.get(space) ?? 0
  if (signature.endsWith('TRC')) return readCurve(data).element
  if (signature.startsWith('A2B')) return rewriteTable(data, 'mAB ', { inputs: device, outputs: CONNECTED })
  if (signature.startsWith('B2A')) return rewriteTable(data, 'mBA ', { inputs: CONNECTED, outputs: device })
  if (signature === 'cicp') return numbers(data, 'cicp', 4)
  return signature === 'chad' ? numbers(data, 'sf32', 36) : numbers(data, 'XYZ ', 12)
}

/** Returns an element that has only this many bytes of numbers. */
function numbers(data: Buffer, type: string, length: number): Buffer {
  if (readType(data) !== type) throw new Malformed()
  return makeElement(type, cut(data, 8, length))
}

/** Bytes of the parameters of each function. */
const parameterBytes = [4, 12, 16, 20, 28]

/** Reads the curve that the data begins with. */
function readCurve(data: Buffer): { element: Buffer; length: number } {
  const type = readType(data)
  const count = cut(data, 8, 4)
  if (type === 'curv') {
    const points = cut(data, 12, count.readUInt32BE() * 2)
    return { element: makeElement(type, count, points), length: 12 + points.length }
  }
  const parameters = parameterBytes[count.readUInt16BE()]
  if (type !== 'para' || parameters === undefined) throw new Malformed()
  const element = makeElement(type, count.subarray(0, 2), Buffer.alloc(2), cut(data, 12, parameters))
  return { element, length: 12 + parameters }
}

interface Channels {
  readonly inputs: number
  readonly outputs: number
}

function rewriteTable(data: Buffer, staged: string, channels: Channels): Buffer {
  const type = readType(data)
  const [inputs, outputs] = cut(data, 8, 2)
  if (inputs !== channels.inputs || outputs !== channels.outputs) throw new Malformed()
  if (type === 'mft1' || type === 'mft2') return rewriteLut(data, type, channels)
  if (type !== staged) throw new Malformed()
  return rewriteStages(data, type, channels)
}

/** The nine numbers of an identity matrix. */
const IDENTITY = Buffer.from('00010000'.padEnd(32, '0').repeat(3).slice(0, 72), 'hex')

/** A matrix, input curves, a grid and output curves, of one byte or two for each number (10.10, 10.11). */
function rewriteLut(data: Buffer, type: 'mft1' | 'mft2', { inputs, outputs }: Channels): Buffer {
  const [points = 0] = cut(data, 10, 1)
  // Only three channels pass through it.
  const matrix = inputs === 3 ? cut(data, 12, 36) : IDENTITY
  const isWide = type === 'mft2'
  const sizes = isWide ? cut(data, 48, 4) : Buffer.alloc(0)
  const [entriesIn, entriesOut] = isWide ? [sizes.readUInt16BE(0), sizes.readUInt16BE(2)] : [256, 256]
  const cells = entriesIn * inputs + points ** inputs * outputs + entriesOut * outputs
  const tables = cut(data, 48 + sizes.length, cells * (isWide ? 2 : 1))
  return makeElement(type, Buffer.from([inputs, outputs, points, 0]), matrix, sizes, tables)
}

const STAGES_START = 32
const MATRIX_BYTES = 48
const GRID_BYTES = 20

/** Up to five stages, each at an offset: B curves, a matrix, M curves, a grid and A curves (10.12, 10.13). */
function rewriteStages(data: Buffer, type: string, { inputs, outputs }: Channels): Buffer {
  const [near, far] = type === 'mAB ' ? [outputs, inputs] : [inputs, outputs]
  const stages = [
    (at: number) => curves(data, at, near),
    (at: number) => cut(data, at, MATRIX_BYTES),
    (at: number) => curves(data, at, near),
    (at: number) => rewriteGrid(data, at, { inputs, outputs }),
    (at: number) => curves(data, at, far),
  ]
  const offsets = Buffer.alloc(stages.length * 4)
  const parts: Buffer[] = []
  let end = STAGES_START
  for (const [index, stage] of stages.entries()) {
    const at = cut(data, 12 + index * 4, 4).readUInt32BE()
    if (at === 0) continue
    const part = padded(stage(at))
    offsets.writeUInt32BE(end, index * 4)
    parts.push(part)
    end += part.length
  }
  return makeElement(type, Buffer.from([inputs, outputs, 0, 0]), offsets, ...parts)
}

function curves(data: Buffer, start: number, count: number): Buffer {
  const all: Buffer[] = []
  let at = start
  for (let left = count; left > 0; left -= 1) {
    const { element, length } = readCurve(data.subarray(at))
    all.push(padded(element))
    at += length + (-length & 3)
  }
  return Buffer.concat(all)
}

/** The points of each input, of which there may be sixteen, the bytes of a number, and the numbers. */
function rewriteGrid(data: Buffer, at: number, { inputs, outputs }: Channels): Buffer {
  const points = cut(data, at, inputs)
  const [bytes = 0] = cut(data, at + 16, 1)
  if (bytes !== 1 && bytes !== 2) throw new Malformed()
  const cells = points.reduce((product, count) => product * count, outputs)
  const head = Buffer.alloc(GRID_BYTES)
  head.set(points)
  head.writeUInt8(bytes, 16)
  return Buffer.concat([head, cut(data, at + GRID_BYTES, cells * bytes)])
}

const readType = (data: Buffer): string => cut(data, 0, 4).toString('latin1')

function cut(data: Buffer, at: number, length: number): Buffer {
  if (at + length > data.length) throw new Malformed()
  return data.subarray(at, at + length)
}

const padded = (bytes: Buffer): Buffer => Buffer.concat([bytes, Buffer.alloc(-bytes.length & 3)])

const makeElement = (type: string, ...parts: readonly Buffer[]): Buffer =>
  Buffer.concat([Buffer.from(`${type}\0\0\0\0`, 'latin1'), ...parts])
