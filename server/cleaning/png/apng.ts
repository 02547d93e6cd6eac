import { type FrameControl, readFrameControl } from './apng-order.ts'
import { chunkAt, chunkParts, PNG_SIGNATURE } from './png-chunks.ts'

/** A frame of an APNG as a PNG of its own. */
export interface ApngFrame extends FrameControl {
  readonly png: Buffer
}

export interface Apng {
  readonly width: number
  readonly height: number
  /** Repetitions; 0 means forever. */
  readonly loop: number
  readonly frames: readonly ApngFrame[]
}

/** Chunks that each frame's file needs in addition to its own size and data. */
const shared = new Set(['PLTE', 'tRNS', 'gAMA', 'cHRM', 'sRGB', 'iCCP', 'cICP', 'sBIT'])

/** Returns the frames of a PNG from `cleanPng`, each as a still PNG the size of its rectangle. None for a file without
 *  an animation. A default image that is not part of the animation is left out. */
export function readApngFrames(bytes: Buffer): Apng {
  const common: Buffer[] = []
  const frames: { control: FrameControl; data: Buffer[] }[] = []
  let header = Buffer.alloc(13)
  let loop = 0
  for (let chunk = chunkAt(bytes, PNG_SIGNATURE.length); chunk; chunk = chunkAt(bytes, chunk.end)) {
    const { type, data } = chunk
    if (type === 'IHDR') header = Buffer.from(data)
    if (type === 'acTL') loop = data.readUInt32BE(4)
    if (shared.has(type)) common.push(chunk.bytes)
    if (type === 'IDAT') frames.at(-1)?.data.push(data)
    if (type === 'fdAT') frames.at(-1)?.data.push(data.subarray(4))
    const control = type === 'fcTL' ? readFrameControl(data) : null
    if (control) frames.push({ control, data: [] })
  }
  return {
    width: header.readUInt32BE(0),
    height: header.readUInt32BE(4),
    loop,
    frames: frames.map(({ control, data }) => ({ ...control, png: frameFile(header, control, common, data) })),
  }
}

function frameFile(header: Buffer, { width, height }: FrameControl, common: Buffer[], data: Buffer[]): Buffer {
  const own = Buffer.from(header)
  own.writeUInt32BE(width, 0)
  own.writeUInt32BE(height, 4)
  return Buffer.concat([
    PNG_SIGNATURE,
    ...chunkParts('IHDR', own),
    ...common,
    ...chunkParts('IDAT', ...data),
    ...chunkParts('IEND'),
  ])
}
