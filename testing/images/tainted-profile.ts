import { TAINT } from './tainted.ts'

export interface ProfileTag {
  readonly signature: string
  readonly data: Buffer
}

/** The tags of a profile, those that share data with the same Buffer. */
export function profileTags(profile: Buffer): ProfileTag[] {
  const known = new Map<string, Buffer>()
  return Array.from({ length: profile.readUInt32BE(128) }, (_, index) => {
    const at = 132 + index * 12
    const [offset, length] = [profile.readUInt32BE(at + 4), profile.readUInt32BE(at + 8)]
    const key = `${offset}+${length}`
    const data = known.get(key) ?? profile.subarray(offset, offset + length)
    known.set(key, data)
    return { signature: profile.toString('latin1', at, at + 4), data }
  })
}

/** Writes a profile with this header and these tags; `gap` comes before the data of each. */
export function writeProfile(header: Buffer, tags: readonly ProfileTag[], gap: Buffer = Buffer.alloc(0)): Buffer {
  const table = Buffer.alloc(4 + tags.length * 12)
  table.writeUInt32BE(tags.length)
  const places = new Map<Buffer, number>()
  const parts: Buffer[] = []
  let end = 128 + table.length
  for (const { data } of tags) {
    if (places.has(data)) continue
    places.set(data, end + gap.length)
    const padding = Buffer.alloc(-(gap.length + data.length) & 3, 'T')
    parts.push(gap, data, padding)
    end += gap.length + data.length + padding.length
  }
  for (const [index, { signature, data }] of tags.entries()) {
    const at = 4 + index * 12
    table.write(signature, at, 'latin1')
    table.writeUInt32BE(places.get(data) ?? 0, at + 4)
    table.writeUInt32BE(data.length, at + 8)
  }
  const head = Buffer.from(header.subarray(0, 128))
  head.writeUInt32BE(end)
  return Buffer.concat([head, table, ...parts])
}

/** Where the header has fields that no decoder computes colours by: the preferred module, the date, the platform, flags,
 *  manufacturer, model, attributes, the illuminant, which is fixed, creator, ID and reserved bytes. */
const idleFields: readonly (readonly [start: number, end: number])[] = [
  [4, 8],
  [10, 12],
  [24, 36],
  [40, 64],
  [68, 128],
]

/** The profile with words in its header, in reserved bytes of its elements, behind these, and between tags. Its name stays. */
export function hiddenProfile(profile: Buffer): Buffer {
  const header = Buffer.from(profile.subarray(0, 128))
  for (const [start, end] of idleFields) header.fill(TAINT, start, end, 'latin1')
  const changed = new Map<Buffer, Buffer>()
  const tags = profileTags(profile).map(({ signature, data }) => {
    const longer = changed.get(data) ?? Buffer.concat([data.subarray(0, 4), word, data.subarray(8), Buffer.from(TAINT)])
    changed.set(data, longer)
    return { signature, data: signature === 'desc' ? data : longer }
  })
  return writeProfile(header, tags, Buffer.from(`${TAINT} between`))
}

const word = Buffer.from(TAINT.slice(0, 4))

const number = (value: number): Buffer => {
  const bytes = Buffer.alloc(4)
  bytes.writeInt32BE(Math.round(value * 65_536))
  return bytes
}

/** A gamma curve; its length is a multiple of four. */
const gamma = (power: number): Buffer =>
  Buffer.concat([Buffer.from('para\0\0\0\0\0\0', 'latin1'), Buffer.alloc(2), number(power)])

/** The element of a table with all five stages (ICC.1:2022, 10.12): `gap` comes before each stage, and fills what the grid's
 *  head leaves unused. */
export function stagedTable(gap: Buffer): Buffer {
  const curves = Buffer.concat([gamma(1), gamma(1.1), gamma(0.9)])
  const matrix = Buffer.concat([0.9, 0.1, 0, 0, 1, 0, 0.1, 0, 0.9, 0, 0.01, 0].map(number))
  const cells = Buffer.from(Array.from({ length: 24 }, (_, index) => (index * 37) & 255))
  const head = Buffer.alloc(20, gap.length > 0 ? gap : Buffer.alloc(1))
  head.set([2, 2, 2])
  head.writeUInt8(1, 16)
  const stages = [curves, matrix, curves, Buffer.concat([head, cells]), curves]
  const start = Buffer.from('mAB \0\0\0\0\x03\x03\0\0', 'latin1')
  const offsets = Buffer.alloc(20)
  const parts: Buffer[] = []
  let end = 32
  for (const [index, stage] of stages.entries()) {
    const space = Buffer.alloc(gap.length + (-gap.length & 3), gap)
    offsets.writeUInt32BE(end + space.length, index * 4)
    parts.push(space, stage)
    end += space.length + stage.length
  }
  return Buffer.concat([start, offsets, ...parts])
}

/** The element of a table of bytes (10.11) for `inputs` channels. */
export function byteTable(inputs: number): Buffer {
  const head = Buffer.from([...Buffer.from('mft1\0\0\0\0'), inputs, 3, 2, 0])
  const matrix = Buffer.concat([1, 0, 0, 0, 1, 0, 0, 0, 1].map(number))
  const ramp = Buffer.from(Array.from({ length: 256 }, (_, index) => index))
  const cells = Buffer.from(Array.from({ length: 2 ** inputs * 3 }, (_, index) => (index * 53) & 255))
  return Buffer.concat([head, matrix, ...Array<Buffer>(inputs).fill(ramp), cells, ramp, ramp, ramp])
}
