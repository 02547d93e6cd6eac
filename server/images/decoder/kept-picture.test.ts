import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { maxStillBytes } from '#server/images/variant.ts'
import { makePool } from '#testing/images/decoder-pool.ts'
import { animation, flatPng, picture } from '#testing/images/pictures.ts'
import type { Format } from '../format.ts'

/** Decodes a file, keeping its picture, and returns what was kept and the bytes of variants. */
async function keep(format: Format, bytes: Buffer) {
  const made = await makePool()
  const keepIn = join(made.folder, 'kept')
  await mkdir(keepIn)
  const path = join(made.folder, 'upload')
  await writeFile(path, bytes)
  const decoded = await made.pool.decode({ path, format, folder: made.folder, keepIn }, { lane: ['owner'] })
  if (decoded.outcome !== 'decoded') throw new Error(decoded.outcome)
  return {
    ...made,
    decoded,
    render: () => {
      const { kept } = decoded
      if (!kept) throw new Error('nothing was kept')
      return made.pool.render({ folder: keepIn, kept, imageBytes: bytes.length }, null)
    },
    late: (width: number) => readFile(join(keepIn, `w${width}.webp`)),
  }
}

const still = (...widths: number[]) => widths.map((width) => ({ width, frames: 1 }))

test.each<Format>(['jpeg', 'png'])('variants of a kept %s are those made at once, byte for byte', async (format) => {
  const bytes = await picture({ format, width: 1800, height: 1000, orientation: 6 })
  await using whole = await makePool()
  expect(await whole.decode(format, bytes)).toMatchObject({ variants: still(400, 800, 1600) })
  await using made = await keep(format, bytes)
  expect(made.decoded).toMatchObject({ width: 1000, height: 1800, variants: still(400) })
  expect(made.decoded.kept).toEqual({ width: 1000, height: 1800, channels: 3, widths: [800, 1600] })
  expect(await made.render()).toEqual({ outcome: 'rendered', variants: still(800, 1600) })
  for (const width of [800, 1600]) expect(await made.late(width)).toEqual(await readFile(whole.variant(width)))
  expect(await readFile(made.variant(400))).toEqual(await readFile(whole.variant(400)))
})

test.each<[string, Format, () => Promise<Buffer>]>([
  ['a small picture', 'png', () => picture({ format: 'png', width: 999, height: 1_000 })],
  ['an animation', 'gif', () => animation('gif', { frames: 2, width: 1_200, height: 900 })],
])('keeps nothing of %s', async (_, format, make) => {
  await using made = await keep(format, await make())
  expect(made.decoded.kept).toBe(undefined)
})

test('a late variant with no fewer bytes than the image is left out, as at once', async () => {
  const bytes = flatPng(2_000, 2_000)
  await using whole = await makePool()
  expect(await whole.decode('png', bytes)).toMatchObject({ variants: still(400) })
  await using made = await keep('png', bytes)
  expect(await made.render()).toEqual({ outcome: 'rendered', variants: [] })
})

test('a picture that is gone is this machine’s fault', async () => {
  await using made = await makePool()
  const kept = { width: 1_200, height: 900, channels: 3 as const, widths: [800 as const] }
  const job = { folder: join(made.folder, 'nowhere'), kept, imageBytes: 1e6 }
  await expect(made.pool.render(job, { lane: ['owner'] })).rejects.toMatchObject({ code: 'ENOENT' })
})

test('the most bytes of a variant are fewer than the image has, and enough for noise', () => {
  expect(maxStillBytes({ width: 400, height: 300 }, 3, 10_000)).toBe(9_999)
  expect(maxStillBytes({ width: 400, height: 300 }, 3, 1e9)).toBe(4_096 + 2 * 120_000)
  expect(maxStillBytes({ width: 400, height: 300 }, 4, 1e9)).toBe(4_096 + 3 * 120_000)
})
