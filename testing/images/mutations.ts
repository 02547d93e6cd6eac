import { crc32 } from 'node:zlib'
import type { Format } from '#server/images/format.ts'
import type { Random } from '../random.ts'
import { type ImageBlock, listBlocks, type SizeField } from './image-blocks.ts'

/** A random change of a file. `other` is another valid file, of any format. */
export interface Mutation {
  readonly class: string
  /** Whether every resulting file is too damaged to be accepted. */
  readonly mustRefuse?: true
  readonly apply: (file: Buffer, format: Format, random: Random, other: Buffer) => Buffer
}

/** A marker inserted between the blocks of a file. */
export const payload = (text: string): Buffer => Buffer.from(`<script>/*${text}*/</script><?php //${text} ?>`)

/** All changes of valid files, by class. */
export const mutations = (planted: string): readonly [Mutation, ...Mutation[]] => [
  {
    class: 'truncated',
    mustRefuse: true,
    apply: (file, _, random) => file.subarray(0, 1 + random.below(file.length - 1)),
  },
  { class: 'changed bytes', apply: (file, _, random) => changed(file, file.length, random) },
  { class: 'changed header', apply: (file, _, random) => changed(file, Math.min(96, file.length), random) },
  { class: 'overwritten run', apply: overwritten },
  { class: 'removed bytes', apply: (file, _, random) => replaced(file, random, () => []) },
  { class: 'inserted bytes', apply: (file, _, random) => replaced(file, random, (cut) => [cut, noise(random), cut]) },
  {
    class: 'swapped blocks',
    apply: (file, format, random) => rearranged(file, format, random, (a, between, b) => [b, between, a]),
  },
  {
    class: 'repeated block',
    apply: (file, format, random) => rearranged(file, format, random, (a, between, b) => [a, between, a, b]),
  },
  {
    class: 'dropped block',
    apply: (file, format, random) => rearranged(file, format, random, (_, between, b) => [between, b]),
  },
  { class: 'wrong length', apply: (file, format, random) => resized(file, format, random, false) },
  { class: 'wrong size', apply: (file, format, random) => resized(file, format, random, true) },
  { class: 'spliced', apply: spliced },
  { class: 'planted between', apply: (file, format, random) => planting(file, format, random, payload(planted)) },
]

function changed(file: Buffer, within: number, random: Random): Buffer {
  const bytes = Buffer.from(file)
  for (let changes = 1 + random.below(6); changes > 0; changes -= 1) bytes[random.below(within)] = random.below(256)
  return bytes
}

function overwritten(file: Buffer, _: Format, random: Random): Buffer {
  const start = random.below(file.length)
  return Buffer.from(file).fill(
    random.pick([0, 0xff, 0x41]),
    start,
    Math.min(file.length, start + 1 + random.below(64)),
  )
}

const noise = (random: Random): Buffer =>
  Buffer.from(Array.from({ length: 1 + random.below(40) }, () => random.below(256)))

function replaced(file: Buffer, random: Random, by: (cut: Buffer) => readonly Buffer[]): Buffer {
  const start = random.below(file.length)
  const end = Math.min(file.length, start + 1 + random.below(32))
  return Buffer.concat([file.subarray(0, start), ...by(file.subarray(start, end)), file.subarray(end)])
}

type Rearrange = (a: Buffer, between: Buffer, b: Buffer) => readonly Buffer[]

function rearranged(file: Buffer, format: Format, random: Random, rearrange: Rearrange): Buffer {
  const blocks = listBlocks(format, file)
  const [one, other] = [blocks[random.below(blocks.length)], blocks[random.below(blocks.length)]]
  if (!one || !other) return file
  const [a, b] = one.start <= other.start ? [one, other] : [other, one]
  const part = (start: number, end: number) => file.subarray(start, Math.max(start, end))
  const middle = rearrange(part(a.start, a.end), part(a.end, b.start), part(Math.max(a.end, b.start), b.end))
  return Buffer.concat([part(0, a.start), ...middle, part(Math.max(a.end, b.end), file.length)])
}

/** Replaces a length or size by an unusual one. Half of the PNGs get correct checksums, to reach deeper code. */
function resized(file: Buffer, format: Format, random: Random, isDimension: boolean): Buffer {
  const bytes = Buffer.from(file)
  const blocks = listBlocks(format, file)
  const fields = blocks.flatMap(({ fields }) => fields.filter((field) => field.isDimension === isDimension))
  const field = fields[random.below(fields.length)]
  if (!field) return bytes
  const most = 256 ** field.bytes - 1
  const old = readField(bytes, field)
  const value = random.pick([
    0,
    1,
    old - 1,
    old + 1,
    old * 2,
    old >> 1,
    old + 256,
    most,
    most - 1,
    most >> 1,
    random.below(most),
  ])
  writeField(bytes, field, Math.min(most, Math.max(0, value)))
  if (format === 'png' && random.below(2) === 0) mendChecksums(bytes, blocks)
  return bytes
}

const readField = (bytes: Buffer, { at, bytes: length, isLittleEndian }: SizeField): number =>
  isLittleEndian ? bytes.readUIntLE(at, length) : bytes.readUIntBE(at, length)

function writeField(bytes: Buffer, { at, bytes: length, isLittleEndian }: SizeField, value: number): void {
  if (isLittleEndian) bytes.writeUIntLE(value, at, length)
  else bytes.writeUIntBE(value, at, length)
}

function mendChecksums(bytes: Buffer, blocks: readonly ImageBlock[]): void {
  for (const { start, end } of blocks) bytes.writeUInt32BE(crc32(bytes.subarray(start + 4, end - 4)), end - 4)
}

function spliced(file: Buffer, _: Format, random: Random, other: Buffer): Buffer {
  return Buffer.concat([file.subarray(0, 16 + random.below(file.length)), other.subarray(random.below(other.length))])
}

function planting(file: Buffer, format: Format, random: Random, planted: Buffer): Buffer {
  const starts = [...listBlocks(format, file).map(({ start }) => start), file.length]
  const at = starts[random.below(starts.length)] ?? 0
  return Buffer.concat([file.subarray(0, at), planted, file.subarray(at)])
}
