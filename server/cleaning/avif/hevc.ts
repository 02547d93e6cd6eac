import { type Bits, bitReader } from './bit-reader.ts'
import type { CodedData } from './coded-data.ts'
import type { Coding } from './contained-picture.ts'
import { BoxRefusal, FieldReader } from './iso-boxes.ts'

/** Types of NAL units (ITU-T H.265, table 7-1): below 32 are slices of pictures. */
const FIRST_OTHER = 32
const SEQUENCE_PARAMETERS = 33

/** More than the slices of any picture, with what describes them. */
const MAX_UNITS = 10_000

/** HEVC, of whose data only the headers are read: one picture for each item, and its size. */
export const hevc: Coding = {
  type: 'hvc1',
  configuration: 'hvcC',
  read: (data, { kept }) => {
    const configuration = kept.find(({ type }) => type === 'hvcC')
    if (!configuration) throw new BoxRefusal('undecodable')
    const { lengthBytes, units } = readConfiguration(configuration.box.subarray(8))
    return measure(data, [...units, ...splitUnits(new FieldReader(data), lengthBytes)])
  },
}

function measure(data: Buffer, units: readonly Buffer[]): CodedData {
  let [pixels, frames] = [0, 0]
  for (const unit of units) {
    const type = ((unit[0] ?? 0) >> 1) & 63
    const isBaseLayer = ((unit[0] ?? 0) & 1) === 0 && (unit[1] ?? 0) >> 3 === 0
    if (type === SEQUENCE_PARAMETERS && isBaseLayer) pixels = Math.max(pixels, countPixels(unit))
    const isFirstSlice = ((unit[2] ?? 0) & 0x80) !== 0
    if (type < FIRST_OTHER && isBaseLayer && isFirstSlice) frames += 1
  }
  if (pixels === 0 || frames === 0) throw new BoxRefusal('undecodable')
  if (frames > 1) throw new BoxRefusal('unsupported')
  return { parts: [data], hasDropped: false, pixels, frames }
}

/** Reads a decoder configuration (ISO/IEC 14496-15, 8.3.3.1): the units in it, and the bytes of a unit's length elsewhere. */
function readConfiguration(body: Buffer) {
  const fields = new FieldReader(body)
  fields.take(21)
  const lengthBytes = (fields.uint(1) & 3) + 1
  const units: Buffer[] = []
  for (let arrays = fields.uint(1); arrays > 0; arrays -= 1) {
    fields.take(1)
    for (let count = fields.uint(2); count > 0; count -= 1) units.push(fields.take(fields.uint(2)))
  }
  return { lengthBytes, units }
}

function splitUnits(fields: FieldReader, lengthBytes: number): Buffer[] {
  const units: Buffer[] = []
  while (fields.left > 0) {
    if (units.length === MAX_UNITS) throw new BoxRefusal('too-much-metadata')
    units.push(fields.take(fields.uint(lengthBytes)))
  }
  return units
}

/** Returns the pixels that a sequence parameter set announces (7.3.2.2). */
function countPixels(unit: Buffer): number {
  const bits = bitReader(unescaped(unit.subarray(2)))
  bits(4)
  const subLayers = bits(3)
  bits(1)
  skipProfile(bits, subLayers)
  readNumber(bits)
  if (readNumber(bits) === 3) bits(1)
  return readNumber(bits) * readNumber(bits)
}

/** 7.3.3 */
function skipProfile(bits: Bits, subLayers: number): void {
  bits(96)
  const present = Array.from({ length: subLayers }, () => ({ hasProfile: bits(1) === 1, hasLevel: bits(1) === 1 }))
  if (subLayers > 0) bits(2 * (8 - subLayers))
  for (const { hasProfile, hasLevel } of present) {
    if (hasProfile) bits(88)
    if (hasLevel) bits(8)
  }
}

/** Reads an Exp-Golomb code of at most 32 bits (9.2). */
function readNumber(bits: Bits): number {
  let zeros = 0
  while (!bits(1)) zeros += 1
  if (zeros > 31) throw new BoxRefusal('undecodable')
  return 2 ** zeros - 1 + bits(zeros)
}

/** Removes the bytes that keep start codes out of a unit (7.4.2). Parameter sets are short. */
function unescaped(bytes: Buffer): Buffer {
  const kept: number[] = []
  let zeros = 0
  for (const byte of bytes.subarray(0, 1_000)) {
    if (zeros >= 2 && byte === 3) {
      zeros = 0
      continue
    }
    zeros = byte === 0 ? zeros + 1 : 0
    kept.push(byte)
  }
  return Buffer.from(kept)
}
