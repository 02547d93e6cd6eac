import { type Bits, bitReader } from './bit-reader.ts'
import type { CodedData } from './coded-data.ts'
import { BoxRefusal, FieldReader } from './iso-boxes.ts'

/** Types of open bitstream units (AV1 specification, 6.2.2) that make up a still picture. */
const SEQUENCE_HEADER = 1
const TEMPORAL_DELIMITER = 2
const FRAME_HEADER = 3
const METADATA = 5
const FRAME = 6
const pictureUnits = new Set([SEQUENCE_HEADER, FRAME_HEADER, 4, FRAME, 7])
/** Brightness metadata (light level, mastering display) by type: lengths including the type and the stop bit. Other
 *  metadata, padding and reserved units can carry anything. */
const brightnessBytes = new Map([
  [1, 6],
  [2, 26],
])

/** One tile group for each of AV1's 4,096 tiles, plus the headers of its layers. */
const MAX_UNITS = 5_000

/** Drops everything but the picture from data in AV1's low-overhead format. Throws BoxRefusal when units do not fill
 *  the data. */
export function cleanAv1(data: Buffer): CodedData {
  const reader = new FieldReader(data)
  const parts: Buffer[] = []
  let hasDropped = false
  let [pixels, frames] = [0, 0]
  for (let units = 0; reader.left > 0; units += 1) {
    if (units === MAX_UNITS) throw new BoxRefusal('too-much-metadata')
    const unit = readUnit(reader, data)
    if (unit.type === SEQUENCE_HEADER) pixels = Math.max(pixels, countPixels(unit.body))
    if (unit.type === FRAME_HEADER || unit.type === FRAME) frames += 1
    if (isNeeded(unit.type, unit.body)) parts.push(unit.whole)
    else hasDropped = true
  }
  return { parts: hasDropped ? parts : [data], hasDropped, pixels, frames }
}

function readUnit(reader: FieldReader, data: Buffer): { type: number; body: Buffer; whole: Buffer } {
  const start = data.length - reader.left
  const header = reader.uint(1)
  if (header & 0x80) throw new BoxRefusal('undecodable')
  if (header & 0x04) reader.uint(1)
  // The last unit may omit its size.
  const body = reader.take(header & 0x02 ? leb128(reader) : reader.left)
  return { type: (header >> 3) & 15, body, whole: data.subarray(start, data.length - reader.left) }
}

function isNeeded(type: number, body: Buffer): boolean {
  if (type === TEMPORAL_DELIMITER) return body.length === 0
  if (type === METADATA) return brightnessBytes.get(body[0] ?? 0) === body.length && body.at(-1) === 0x80
  return pictureUnits.has(type)
}

/** Reads an integer in groups of seven bits, lowest first (4.10.5). */
function leb128(reader: FieldReader): number {
  let value = 0
  for (let group = 0; group < 8; group += 1) {
    const byte = reader.uint(1)
    value += (byte & 0x7f) * 128 ** group
    if (byte < 0x80) return value
  }
  throw new BoxRefusal('undecodable')
}

/** Returns the largest frame of a sequence header (5.5.1). Throws BoxRefusal when it ends early. */
function countPixels(body: Buffer): number {
  const bits = bitReader(body)
  bits(4)
  if (bits(1)) bits(5)
  else skipOperatingPoints(bits)
  const widthBits = bits(4) + 1
  const heightBits = bits(4) + 1
  return (bits(widthBits) + 1) * (bits(heightBits) + 1)
}

function skipOperatingPoints(bits: Bits): void {
  const delayBits = bits(1) ? skipTiming(bits) : 0
  const hasDisplayDelay = bits(1)
  for (let points = bits(5) + 1; points > 0; points -= 1) {
    bits(12)
    if (bits(5) > 7) bits(1)
    if (delayBits > 0 && bits(1)) bits(2 * delayBits + 1)
    if (hasDisplayDelay && bits(1)) bits(4)
  }
}

/** Returns the number of bits of a delay in the decoder model; 0 without one. */
function skipTiming(bits: Bits): number {
  bits(64)
  if (bits(1)) skipExpGolomb(bits)
  if (!bits(1)) return 0
  const delayBits = bits(5) + 1
  bits(42)
  return delayBits
}

function skipExpGolomb(bits: Bits): void {
  let zeros = 0
  while (!bits(1)) zeros += 1
  if (zeros < 32) bits(zeros)
}
