import { type CanvasSize, type FrameRectangle, fitCanvas } from '../canvas.ts'
import { MAX_FRAMES, MAX_METADATA, MAX_PIXELS, MAX_TOTAL_PIXELS } from '../caps.ts'
import type { CleaningRefusal, Removed } from '../cleaning.ts'
import { colourTableBytes, subBlocksEnd } from './gif-blocks.ts'
import { cleanProfileExtension, type GraphicControl, mergeControls, readExtension } from './gif-extensions.ts'

/** The location of one image in a GIF. */
export interface GifFrame {
  readonly control: GraphicControl | null
  readonly place: FrameRectangle
  /** The nine bytes after the separator: position, size and flags. */
  readonly descriptor: Buffer
  readonly colourTable: Buffer
  readonly minimumCodeSize: number
  /** The sub-blocks, including the terminator. */
  readonly dataStart: number
  readonly dataEnd: number
}

export interface GifLayout {
  readonly canvas: CanvasSize
  /** Signature, logical screen and global colour table. */
  readonly head: Buffer
  readonly profile: Buffer
  readonly loop: Buffer
  readonly frames: readonly GifFrame[]
  readonly removed: Set<Removed>
}

const EXTENSION = 0x21
const IMAGE = 0x2c
const TRAILER = 0x3b
const MAX_SIDE = 0xffff
/** Where the signature and the logical screen end. */
export const SCREEN_END = 13

/** Walks the blocks of a GIF to its trailer and checks lengths, order and caps, without decompressing images (GIF89a,
 *  appendix B). */
export function readGifLayout(bytes: Buffer): GifLayout | CleaningRefusal {
  const headEnd = SCREEN_END + colourTableBytes(bytes[10] ?? 0)
  if (!/^GIF8[79]a$/.test(bytes.toString('latin1', 0, 6)) || headEnd > bytes.length) return 'undecodable'
  const reader = new LayoutReader(bytes, headEnd)
  for (let at = headEnd; at < bytes.length; ) {
    if (bytes[at] === TRAILER) return reader.end(at + 1)
    const end = bytes[at] === EXTENSION ? reader.takeExtension(at) : bytes[at] === IMAGE ? reader.takeImage(at) : null
    if (end === null) return 'undecodable'
    if (typeof end === 'string') return end
    at = end
  }
  return 'undecodable'
}

class LayoutReader {
  readonly #bytes: Buffer
  readonly #head: Buffer
  readonly #frames: GifFrame[] = []
  readonly #removed = new Set<Removed>()
  #canvas: CanvasSize
  /** Pixels of all frames, including those outside of the canvas. */
  #framePixels = 0
  #metadataBytes: number
  #profile: Buffer | null = null
  #loop: Buffer = Buffer.alloc(0)
  #control: GraphicControl | null = null

  constructor(bytes: Buffer, headEnd: number) {
    this.#bytes = bytes
    this.#head = bytes.subarray(0, headEnd)
    this.#canvas = { width: bytes.readUInt16LE(6), height: bytes.readUInt16LE(8) }
    this.#metadataBytes = headEnd
  }

  /** Returns where the extension ends; null when it is damaged. */
  takeExtension(start: number): number | CleaningRefusal | null {
    const end = subBlocksEnd(this.#bytes, start + 2)
    const extension = end && readExtension(this.#bytes, start, end)
    if (!extension) return null
    this.#metadataBytes += end - start
    if (this.#metadataBytes > MAX_METADATA) return 'too-much-metadata'
    if (extension.kind === 'control') this.#control = mergeControls(this.#control, extension.control)
    if (extension.kind === 'loop') this.#loop = extension.bytes
    if (extension.kind === 'none') this.#removed.add(extension.removed)
    if (extension.kind === 'profile') return this.#takeProfile(extension.data) ?? end
    return end
  }

  takeImage(start: number): number | CleaningRefusal | null {
    const bytes = this.#bytes
    const tableStart = start + 10
    const tableEnd = tableStart + colourTableBytes(bytes[start + 9] ?? 0)
    const minimumCodeSize = bytes[tableEnd] ?? 0
    const dataStart = tableEnd + 1
    const dataEnd = subBlocksEnd(bytes, dataStart)
    if (dataEnd === null || minimumCodeSize < 1 || minimumCodeSize > 8) return null
    const descriptor = bytes.subarray(start + 1, tableStart)
    const [x, y] = [descriptor.readUInt16LE(0), descriptor.readUInt16LE(2)]
    const [width, height] = [descriptor.readUInt16LE(4), descriptor.readUInt16LE(6)]
    if (width * height === 0) return null
    const place = { x, y, width, height }
    if (this.#frames.length === 0) this.#growCanvas(place)
    if (Math.max(this.#canvas.width, this.#canvas.height) > MAX_SIDE) return null
    const [control, colourTable] = [this.#control, bytes.subarray(tableStart, tableEnd)]
    this.#frames.push({ control, place, descriptor, colourTable, minimumCodeSize, dataStart, dataEnd })
    this.#control = null
    this.#framePixels += width * height
    this.#metadataBytes += dataStart - start
    return this.#refusal(width * height) ?? dataEnd
  }

  end(end: number): GifLayout | CleaningRefusal {
    if (this.#frames.length === 0) return 'undecodable'
    const canvas = fitCanvas(
      this.#canvas,
      this.#frames.map(({ place }) => place),
    )
    if (!canvas) return 'too-many-pixels'
    if (end < this.#bytes.length) this.#removed.add('trailer')
    return {
      canvas,
      head: withScreen(this.#head, canvas),
      profile: this.#profile ?? Buffer.alloc(0),
      loop: this.#loop,
      frames: this.#frames,
      removed: this.#removed,
    }
  }

  /** In browsers a first image that exceeds the logical screen enlarges it; later images are cropped to it. */
  #growCanvas({ x, y, width, height }: FrameRectangle): void {
    this.#canvas = { width: Math.max(this.#canvas.width, x + width), height: Math.max(this.#canvas.height, y + height) }
  }

  #refusal(framePixels: number): CleaningRefusal | null {
    const canvas = this.#canvas.width * this.#canvas.height
    if (Math.max(canvas, framePixels) > MAX_PIXELS || this.#frames.length > MAX_FRAMES) return 'too-many-pixels'
    if (Math.max(this.#frames.length * canvas, this.#framePixels) > MAX_TOTAL_PIXELS) return 'too-many-pixels'
    return this.#metadataBytes > MAX_METADATA ? 'too-much-metadata' : null
  }

  /** Only the first profile counts. */
  #takeProfile(data: Buffer): CleaningRefusal | null {
    const cleaned = cleanProfileExtension(data)
    if (typeof cleaned === 'string') return cleaned
    if (cleaned.removed || this.#profile) this.#removed.add('profile-tags')
    this.#profile ??= cleaned.bytes
    return null
  }
}

/** Writes the canvas as the logical screen, so that every decoder reads the same size. */
function withScreen(head: Buffer, { width, height }: CanvasSize): Buffer {
  const written = Buffer.from(head)
  written.writeUInt16LE(width, 6)
  written.writeUInt16LE(height, 8)
  return written
}
