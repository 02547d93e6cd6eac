/** The cost of a variant in WebP and in AVIF: bytes and encoding time at the same fidelity, over photos.
 *  `npm run bench:variants -- FOLDER`. For AVIF, uses the lowest of a few qualities with at least the fidelity (PSNR of the RGB
 *  values) of WebP at 80. The encoders alternate, so that a noisy machine slows all of them. */
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import sharp, { type Sharp } from 'sharp'
import { variantBox, variantWidths } from '#server/images/variant.ts'

const AVIF_QUALITIES = [40, 45, 50, 55, 60, 65, 70]
const EFFORTS = [0, 2, 4]

const folder = process.argv[2]
if (!folder) throw new Error('usage: npm run bench:variants -- FOLDER')
sharp.concurrency(1)

interface Measured {
  readonly bytes: number
  readonly ms: number
  readonly psnr: number
}

async function measure(original: Buffer, encoded: Sharp): Promise<Measured> {
  const start = performance.now()
  const file = await encoded.toBuffer()
  const ms = performance.now() - start
  const pixels = await sharp(file).removeAlpha().raw().toBuffer()
  let sum = 0
  for (let at = 0; at < pixels.length; at += 1) sum += ((pixels[at] ?? 0) - (original[at] ?? 0)) ** 2
  return { bytes: file.length, ms, psnr: 10 * Math.log10(255 ** 2 / (sum / pixels.length)) }
}

async function asGoodAs(psnr: number, original: Buffer, image: () => Sharp, effort: number): Promise<Measured> {
  let best: Measured | null = null
  for (const quality of AVIF_QUALITIES) {
    best = await measure(original, image().avif({ quality, effort }))
    if (best.psnr >= psnr) return best
  }
  if (!best) throw new Error('no quality was tried')
  return best
}

const rows: Record<string, string | number>[] = []
const files = (await readdir(folder)).filter((name) => /\.(jpe?g|png|webp|avif)$/i.test(name))
for (const width of variantWidths) {
  const sums = new Map<string, { bytes: number; ms: number; psnr: number }>()
  const note = (name: string, { bytes, ms, psnr }: Measured) => {
    const sum = sums.get(name) ?? { bytes: 0, ms: 0, psnr: 0 }
    sums.set(name, { bytes: sum.bytes + bytes, ms: sum.ms + ms, psnr: sum.psnr + psnr })
  }
  for (const name of files) {
    const box = { ...variantBox(width), fit: 'inside', withoutEnlargement: true } as const
    const { data, info } = await sharp(join(folder, name))
      .autoOrient()
      .resize(box)
      .removeAlpha()
      .raw()
      .toBuffer({ resolveWithObject: true })
    const image = () => sharp(data, { raw: info })
    const webp = await measure(data, image().webp({ quality: 80, effort: 3 }))
    note('WebP 80, effort 3', webp)
    for (const effort of EFFORTS) note(`AVIF, effort ${effort}`, await asGoodAs(webp.psnr, data, image, effort))
  }
  const webp = sums.get('WebP 80, effort 3')
  for (const [name, { bytes, ms, psnr }] of sums) {
    const ratio = (value: number, base = 1) => (value / base).toFixed(2)
    const means = { 'kB each': (bytes / files.length / 1000).toFixed(1), 'PSNR dB': (psnr / files.length).toFixed(1) }
    rows.push({ width, encoder: name, ...means, 'bytes ×': ratio(bytes, webp?.bytes), 'time ×': ratio(ms, webp?.ms) })
  }
}
console.log(`${files.length} photographs`)
console.table(rows)
