import { deflateSync } from 'node:zlib'
import sharp from 'sharp'
import { expect, test } from 'vitest'
import { animatedPng } from '#testing/images/animated-png.ts'
import { makePool } from '#testing/images/decoder-pool.ts'
import { makePng } from '#testing/images/pictures.ts'

type Chunk = [type: string, data: Buffer]

/** A grey ICC profile with linear samples, reduced to white point and curve. */
function linearGrey(): Buffer {
  const profile = Buffer.alloc(188)
  profile.writeUInt32BE(profile.length)
  profile.write('\x02\x10\0\0mntrGRAYXYZ ', 8, 'latin1')
  profile.write('acsp', 36)
  const white = Buffer.from('0000f6d6000100000000d32d', 'hex')
  white.copy(profile, 68)
  profile.writeUInt32BE(2, 128)
  profile.write('wtpt\0\0\0\x9c\0\0\0\x14', 132, 'latin1')
  profile.write('kTRC\0\0\0\xb0\0\0\0\x0c', 144, 'latin1')
  profile.write('XYZ ', 156)
  white.copy(profile, 164)
  profile.write('curv', 176)
  return profile
}

test.each([
  ['colours', [200, 100, 50]],
  ['greys', [80, 80, 80]],
])('keeps half-transparent %s unchanged in every size', async (_, colour) => {
  await using made = await makePool()
  const [width, height] = [1700, 400]
  const pixels = Buffer.alloc(width * height * 4, Buffer.from([...colour, 128]))
  const image = sharp(pixels, { raw: { width, height, channels: 4 } })
  // Uncompressed, so that the variants are smaller than the picture.
  const bytes = await image
    .toColourspace(colour[0] === colour[1] ? 'b-w' : 'srgb')
    .png({ compressionLevel: 0 })
    .toBuffer()
  expect(await made.decode('png', bytes)).toMatchObject({
    variants: [400, 800, 1600].map((width) => ({ width, frames: 1 })),
  })
  for (const size of [400, 800, 1600]) {
    const { channels } = await sharp(made.variant(size)).stats()
    const means = channels.map(({ mean }) => mean)
    expect([...colour, 128].every((value, index) => Math.abs(value - (means[index] ?? 0)) < 8)).toBe(true)
  }
})

const red = () => sharp({ create: { width: 900, height: 600, channels: 4, background: '#f00' } })

test.each([
  ['PNG', 'png', () => red().toColourspace('rgb16').withIccProfile('p3').png({ compressionLevel: 0 }).toBuffer()],
  ['AVIF', 'avif', () => red().withIccProfile('p3').avif({ bitdepth: 10, effort: 0 }).toBuffer()],
  ['animated PNG', 'png', () => animatedPng(['#f00', '#f00'], { profile: 'p3' })],
] as const)('decodes a deep %s with a profile in the right colours', async (_, format, make) => {
  await using made = await makePool()
  expect(await made.decode(format, await make())).toMatchObject({ outcome: 'decoded' })
  const { channels } = await sharp(made.variant(400), { animated: true }).stats()
  expect(channels.slice(0, 3).map(({ mean }) => Math.round(mean / 8))).toEqual([32, 0, 0])
})

const profile: Chunk = ['iCCP', Buffer.concat([Buffer.from('linear\0\0'), deflateSync(linearGrey())])]
const gamma: Chunk = ['gAMA', Buffer.from('000186a0', 'hex')]
const [light, dark] = [128, 56]

test.each<[string, number, Chunk[], number]>([
  ['a profile', 8, [profile], light],
  ['a profile', 16, [profile], light],
  ['gAMA', 8, [gamma], light],
  ['gAMA', 16, [gamma], light],
  ['gAMA and a profile', 8, [gamma, profile], light],
  ['gAMA and sRGB', 8, [gamma, ['sRGB', Buffer.alloc(1)]], dark],
  ['an ordinary gAMA', 8, [['gAMA', Buffer.from('0000b18f', 'hex')]], dark],
  ['an impossible gAMA', 8, [['gAMA', Buffer.alloc(4)]], dark],
])('renders a grey described by %s, of %d bits, as light as it is', async (_, depth, chunks, grey) => {
  await using made = await makePool()
  const [width, height] = [500, 400]
  const header = Buffer.from([0, 0, width >> 8, width & 255, 0, 0, height >> 8, height & 255, depth, 0, 0, 0, 0])
  const row = Buffer.alloc(1 + (width * depth) / 8, dark - 1).fill(0, 0, 1)
  const data = deflateSync(Buffer.concat(Array<Buffer>(height).fill(row)), { level: 0 })
  const bytes = makePng([['IHDR', header], ...chunks, ['IDAT', data], ['IEND', Buffer.alloc(0)]])
  expect(await made.decode('png', bytes)).toMatchObject({ outcome: 'decoded' })
  const { channels } = await sharp(made.variant(400)).stats()
  expect(channels.map(({ mean }) => Math.round(mean / 8) * 8)).toEqual([grey, grey, grey])
})

test('applies gAMA to the frames of an animated PNG and keeps their alpha', async () => {
  await using made = await makePool()
  const plain = await animatedPng(['#37373780', '#ff373780'])
  const bytes = Buffer.concat([plain.subarray(0, 33), makePng([gamma]).subarray(8), plain.subarray(33)])
  expect(await made.decode('png', bytes)).toMatchObject({ outcome: 'decoded', frames: 2 })
  for (const [page, colour] of [light, 256].entries()) {
    const { channels } = await sharp(made.variant(400), { page }).stats()
    const means = channels.map(({ mean }) => Math.round(mean / 8) * 8)
    expect(means).toEqual([colour, light, light, 128])
  }
})
