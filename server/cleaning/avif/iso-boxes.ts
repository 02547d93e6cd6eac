import type { CleaningRefusal } from '../cleaning.ts'

/** Thrown while a container is read, and caught by its cleaner, to refuse the file. */
export class BoxRefusal extends Error {
  readonly reason: CleaningRefusal

  constructor(reason: CleaningRefusal) {
    super(reason)
    this.reason = reason
  }
}

export interface Box {
  /** Four characters, one byte each. */
  readonly type: string
  readonly body: Buffer
}

/** Reads consecutive big-endian fields; throws BoxRefusal 'undecodable' instead of reading past the end. */
export class FieldReader {
  readonly #bytes: Buffer
  #at = 0

  constructor(bytes: Buffer) {
    this.#bytes = bytes
  }

  get left(): number {
    return this.#bytes.length - this.#at
  }

  take(length: number): Buffer {
    if (length > this.left) throw new BoxRefusal('undecodable')
    this.#at += length
    return this.#bytes.subarray(this.#at - length, this.#at)
  }

  rest(): Buffer {
    return this.take(this.left)
  }

  /** Reads an unsigned integer of 0 to 8 bytes; 0 when it has none. */
  uint(size: number): number {
    let value = 0
    for (const byte of this.take(size)) value = value * 256 + byte
    if (!Number.isSafeInteger(value)) throw new BoxRefusal('undecodable')
    return value
  }

  fourCharacters(): string {
    return this.take(4).toString('latin1')
  }

  /** Reads a null-terminated string. Throws BoxRefusal without a terminator, because decoders disagree on such
   *  strings. */
  string(): string {
    const length = this.#bytes.indexOf(0, this.#at) - this.#at
    if (length < 0) throw new BoxRefusal('undecodable')
    const text = this.take(length).toString('latin1')
    this.take(1)
    return text
  }

  /** Reads the version and flags of a full box. */
  versionAndFlags(): { version: number; flags: number } {
    return { version: this.uint(1), flags: this.uint(3) }
  }

  /** Reads one box (ISO/IEC 14496-12, 4.2), whose size may be 0 for all the rest. */
  box(): Box {
    const size = this.uint(4)
    const type = this.fourCharacters()
    if (size === 0) return { type, body: this.rest() }
    const length = size === 1 ? this.uint(8) - 16 : size - 8
    if (length < 0) throw new BoxRefusal('undecodable')
    return { type, body: this.take(length) }
  }
}

/** Several times what a grid of 1,000 tiles with alpha planes needs. */
const MAX_BOXES = 10_000

/** Reads the boxes that fill `body`. Throws BoxRefusal when they do not, or are too many for a picture. */
export function boxesIn(body: Buffer): Box[] {
  const reader = new FieldReader(body)
  const boxes: Box[] = []
  while (reader.left > 0) {
    if (boxes.length === MAX_BOXES) throw new BoxRefusal('too-much-metadata')
    boxes.push(reader.box())
  }
  return boxes
}

/** Returns the only box of a type; undefined when there is none. With two, decoders differ in which they use, so such a
 *  file is refused. */
export function oneBox(boxes: readonly Box[], type: string): Buffer | undefined {
  const [first, second] = boxes.filter((box) => box.type === type)
  if (second) throw new BoxRefusal('undecodable')
  return first?.body
}

/** Like `oneBox`, for a required box. */
export function needBox(boxes: readonly Box[], type: string): Buffer {
  const body = oneBox(boxes, type)
  if (!body) throw new BoxRefusal('undecodable')
  return body
}

export type BoxField = Buffer | string | readonly [bytes: 1 | 2 | 3 | 4, value: number]

/** Concatenates fields: bytes, Latin-1 text and big-endian integers. */
export function joined(fields: readonly BoxField[]): Buffer {
  return Buffer.concat(fields.map((field) => (Buffer.isBuffer(field) ? field : encodeField(field))))
}

/** Returns a box with these fields. */
export function makeBox(type: string, ...fields: readonly BoxField[]): Buffer {
  const body = joined(fields)
  return joined([[4, body.length + 8], type, body])
}

/** Returns a full box of version 0 with these fields. */
export function makeFullBox(type: string, flags: number, ...fields: readonly BoxField[]): Buffer {
  return makeBox(type, [1, 0], [3, flags], ...fields)
}

function encodeField(field: string | readonly [number, number]): Buffer {
  if (typeof field === 'string') return Buffer.from(field, 'latin1')
  const [size, value] = field
  const bytes = Buffer.alloc(size)
  bytes.writeUIntBE(value, 0, size)
  return bytes
}
