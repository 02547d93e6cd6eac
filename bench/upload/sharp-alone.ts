/** Processes each file like an uploaded photo, with sharp alone: decoding, three variants and the pixels of the placeholder, two
 *  files at a time. Prints the milliseconds of processor time. `sharp-alone.ts EFFORTS FILE …`, with the efforts of WebP for the
 *  three variants, as `3,2,2`; the first file warms up and is not counted. */
import { readFile } from 'node:fs/promises'
import pLimit from 'p-limit'
import sharp, { type Sharp } from 'sharp'
import { variantBox, variantWidths } from '#server/images/variant.ts'

const AT_ONCE = 2

sharp.cache(false)
sharp.concurrency(1)

const [list = '', warmUp, ...files] = process.argv.slice(2)
if (!warmUp) throw new Error('usage: sharp-alone.ts EFFORTS FILE …')
const efforts = list.split(',').map(Number)

const within = (image: Sharp, box: { width: number; height: number }) =>
  image.resize({ ...box, fit: 'inside', withoutEnlargement: true })

async function work(file: string): Promise<void> {
  const picture = sharp(await readFile(file), { failOn: 'warning', sequentialRead: true }).autoOrient()
  const { data, info } = await within(picture, variantBox(1600)).raw().toBuffer({ resolveWithObject: true })
  const still = () => sharp(data, { raw: info })
  for (const [index, width] of variantWidths.entries()) {
    await within(still(), variantBox(width))
      .webp({ quality: 80, effort: efforts[index] ?? 4 })
      .toBuffer()
  }
  await within(still(), { width: 100, height: 100 }).ensureAlpha().raw().toBuffer()
}

await work(warmUp)
const limit = pLimit(AT_ONCE)
const start = process.cpuUsage()
await limit.map(files, work)
const { user, system } = process.cpuUsage(start)
console.log((user + system) / 1_000)
