import { fitCanvas } from '../canvas.ts'
import { MAX_METADATA, MAX_PIXELS, MAX_TOTAL_PIXELS } from '../caps.ts'
import type { CleaningRefusal, Orientation, Removed } from '../cleaning.ts'
import { orientationTiff } from '../orientation.ts'
import { ApngOrder } from './apng-order.ts'
import { cleanIccp, isKept, readExifOrientation, removedChunkKind } from './png-ancillary.ts'
import { chunkAt, chunkParts, isIntact, PNG_SIGNATURE, type PngChunk } from './png-chunks.ts'
import { type PngHeader, readPngHeader } from './png-header.ts'

/** The data chunks of one picture between two offsets. For later frames, other chunks may lie between them. */
export interface DataRun {
  readonly kind: 'data'
  readonly type: 'IDAT' | 'fdAT'
  readonly start: number
  readonly end: number
  readonly header: PngHeader
}

/** What is kept of a PNG, in order. The data of a control begins with its sequence number. */
export type Piece =
  | { readonly kind: 'chunk'; readonly parts: readonly Buffer[] }
  | { readonly kind: 'control'; readonly data: Buffer }
  | DataRun

export interface PngLayout {
  readonly header: PngHeader
  readonly frames: number
  readonly orientation: Orientation
  readonly pieces: readonly Piece[]
  readonly removed: Set<Removed>
  readonly exif: Buffer | undefined
}

/** Walks the chunks of a PNG to IEND and checks lengths, checksums, order and caps, without decompressing them. */
export function readPngLayout(bytes: Buffer): PngLayout | CleaningRefusal {
  if (!bytes.subarray(0, PNG_SIGNATURE.length).equals(PNG_SIGNATURE)) return 'undecodable'
  const first = chunkAt(bytes, PNG_SIGNATURE.length)
  const header = first && first.type === 'IHDR' && isIntact(first) ? readPngHeader(first.data) : null
  if (!first || !header) return 'undecodable'
  if (header.width * header.height > MAX_PIXELS) return 'too-many-pixels'
  const reader = new LayoutReader(header)
  for (let chunk = chunkAt(bytes, first.end); chunk && isIntact(chunk); chunk = chunkAt(bytes, chunk.end)) {
    if (chunk.type === 'IEND') return chunk.data.length === 0 ? reader.end(chunk.end < bytes.length) : 'undecodable'
    const refusal = reader.take(chunk)
    if (refusal) return refusal
  }
  return 'undecodable'
}

class LayoutReader {
  readonly #header: PngHeader
  readonly #pieces: Piece[] = []
  readonly #removed = new Set<Removed>()
  readonly #seen = new Set<string>()
  #metadataBytes = 0
  #orientation: Orientation = 1
  #exif: Buffer | undefined
  /** Null before the palette, or without one. */
  #colours: number | null = null
  #animation: ApngOrder | null = null
  #lastType = ''

  constructor(header: PngHeader) {
    this.#header = header
  }

  take(chunk: PngChunk): CleaningRefusal | null {
    const { type, data, bytes } = chunk
    const isData = type === 'IDAT' || (type === 'fdAT' && this.#animation !== null)
    this.#metadataBytes += bytes.length - (isData ? data.length : 0)
    if (this.#metadataBytes > MAX_METADATA) return 'too-much-metadata'
    const refusal = this.#takeByType(chunk)
    this.#lastType = type
    this.#seen.add(type)
    return refusal
  }

  end(hasTrailer: boolean): PngLayout | CleaningRefusal {
    if (!this.#seen.has('IDAT') || this.#animation?.isComplete() === false) return 'undecodable'
    // The default image fills the canvas, but browsers do not show one that is not a frame.
    if (this.#animation && fitCanvas(this.#header, this.#animation.places) !== this.#header) return 'too-many-pixels'
    if (hasTrailer) this.#removed.add('trailer')
    const frames = this.#animation?.frames ?? 1
    return {
      header: this.#header,
      frames,
      orientation: this.#orientation,
      pieces: this.#pieces,
      removed: this.#removed,
      exif: this.#exif,
    }
  }

  #takeByType(chunk: PngChunk): CleaningRefusal | null {
    switch (chunk.type) {
      case 'PLTE':
        return this.#takePalette(chunk)
      case 'IDAT':
        return this.#takeImageData(chunk)
      case 'acTL':
        return this.#takeAnimation(chunk)
      case 'fcTL':
      case 'fdAT':
        return this.#takeFrame(chunk)
      case 'iCCP':
        return this.#takeProfile(chunk)
      case 'eXIf':
        return this.#takeExif(chunk)
      default:
        return this.#takeOther(chunk)
    }
  }

  /** Only indexed-colour pictures need a palette; for others it is a suggestion. */
  #takePalette(chunk: PngChunk): CleaningRefusal | null {
    const { colourType, bitDepth } = this.#header
    if (colourType !== 3) return this.#drop(chunk)
    const colours = chunk.data.length / 3
    const fits = Number.isInteger(colours) && colours > 0 && colours <= 2 ** bitDepth
    if (!fits || this.#seen.has('PLTE') || this.#seen.has('IDAT')) return 'undecodable'
    this.#colours = colours
    return this.#keep(chunk)
  }

  #takeImageData(chunk: PngChunk): CleaningRefusal | null {
    if (this.#seen.has('IDAT')) return this.#lastType === 'IDAT' ? this.#extendRun(chunk) : 'undecodable'
    if (this.#header.colourType === 3 && this.#colours === null) return 'undecodable'
    this.#animation?.takeImage()
    return this.#beginRun('IDAT', chunk, this.#header)
  }

  /** Without an acTL before the image, every decoder treats the file as a still picture. */
  #takeAnimation(chunk: PngChunk): CleaningRefusal | null {
    if (this.#seen.has('IDAT')) return this.#drop(chunk)
    if (this.#seen.has('acTL') || this.#seen.has('fcTL')) return 'undecodable'
    const begun = ApngOrder.begin(chunk.data, this.#header)
    if (typeof begun === 'string') return begun
    if (begun.frames * this.#header.width * this.#header.height > MAX_TOTAL_PIXELS) return 'too-many-pixels'
    this.#animation = begun
    return this.#keep(chunk)
  }

  #takeFrame(chunk: PngChunk): CleaningRefusal | null {
    if (!this.#animation) return this.#drop(chunk)
    const afterImage = this.#seen.has('IDAT')
    if (chunk.type === 'fcTL') {
      if (!this.#animation.takeControl(chunk.data, afterImage)) return 'undecodable'
      this.#pieces.push({ kind: 'control', data: chunk.data })
      return null
    }
    const taken = this.#animation.takeData(chunk.data, afterImage)
    if (!taken) return 'undecodable'
    const { width, height } = taken.frame
    return taken.begins ? this.#beginRun('fdAT', chunk, { ...this.#header, width, height }) : this.#extendRun(chunk)
  }

  #takeProfile(chunk: PngChunk): CleaningRefusal | null {
    if (this.#seen.has('iCCP') || this.#seen.has('PLTE') || this.#seen.has('IDAT')) return this.#drop(chunk)
    const cleaned = cleanIccp(chunk)
    if (typeof cleaned === 'string') return cleaned
    if (cleaned.removed) this.#removed.add('profile-tags')
    if (cleaned.data) this.#pieces.push({ kind: 'chunk', parts: chunkParts('iCCP', cleaned.data) })
    return null
  }

  /** Decoders read only the first one, and only before the image. */
  #takeExif(chunk: PngChunk): CleaningRefusal | null {
    if (this.#seen.has('eXIf') || this.#seen.has('IDAT')) return this.#drop(chunk)
    this.#orientation = readExifOrientation(chunk)
    this.#exif = chunk.data
    if (this.#orientation === 1) return this.#drop(chunk)
    const minimal = orientationTiff(this.#orientation)
    if (!minimal.equals(chunk.data)) this.#removed.add('exif')
    this.#pieces.push({ kind: 'chunk', parts: chunkParts('eXIf', minimal) })
    return null
  }

  #takeOther(chunk: PngChunk): CleaningRefusal | null {
    const isCritical = /^[A-Z]/.test(chunk.type)
    if (isCritical) return 'undecodable'
    const surroundings = {
      header: this.#header,
      colours: this.#colours,
      afterPalette: this.#seen.has('PLTE'),
      afterData: this.#seen.has('IDAT'),
    }
    return !this.#seen.has(chunk.type) && isKept(chunk, surroundings) ? this.#keep(chunk) : this.#drop(chunk)
  }

  #beginRun(type: 'IDAT' | 'fdAT', { start, end }: PngChunk, header: PngHeader): null {
    this.#pieces.push({ kind: 'data', type, start, end, header })
    return null
  }

  #extendRun({ end }: PngChunk): null {
    const run = this.#pieces.pop()
    if (run?.kind !== 'data') throw new Error('no data run to extend')
    this.#pieces.push({ ...run, end })
    return null
  }

  #keep({ bytes }: PngChunk): null {
    this.#pieces.push({ kind: 'chunk', parts: [bytes] })
    return null
  }

  #drop(chunk: PngChunk): null {
    this.#removed.add(removedChunkKind(chunk))
    return null
  }
}
