/** Processes each file like an uploaded photo, with sharp alone: decoding, three variants and the pixels of the placeholder, two
 *  files at a time. Prints the total milliseconds. */
import { readFile } from 'node:fs/promises'
import pLimit from 'p-limit'
import sharp, { type Sharp } from 'sharp'
import { variantBox, variantWidths } from '#server/images/variant.ts'

const AT_ONCE = 2

sharp.cache(false)
sharp.concurrency(1)

const within = (image: Sharp, box: { width: number; height: number }) =>
  image.resize({ ...box, fit: 'inside', withoutEnlargement: true })

async function work(file: string): Promise<void> {
  const picture = sharp(await readFile(file), { failOn: 'warning', sequentialRead: true }).autoOrient()
  const { data, info } = await within(picture, variantBox(1600)).raw().toBuffer({ resolveWithObject: true })
  const still = () => sharp(data, { raw: info })
  for (const width of variantWidths) {
    await within(still(), variantBox(width)).webp({ quality: 80, effort: 3 }).toBuffer()
  }
  await within(still(), { width: 100, height: 100 }).ensureAlpha().raw().toBuffer()
}

const [warmUp, ...files] = process.argv.slice(2)
if (!warmUp) throw new Error('usage: sharp-alone.ts FILE …')
await work(warmUp)
const limit = pLimit(AT_ONCE)
const start = performance.now()
await limit.map(files, work)
console.log(performance.now() - start)
