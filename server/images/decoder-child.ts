/**
 * A decoder's process: decoder-pool.ts starts it, with the bytes of memory it may use as its argument, and sends it one
 * job at a time, which it says to have taken before it looks at the file. It loads four formats and nothing else, and
 * ends when the server does. The server ends it by SIGKILL.
 */
import { readFile, writeFile } from 'node:fs/promises'
import sharp, { type Metadata, type SharpOptions } from 'sharp'
import { isComplete } from './complete.ts'
import { type DecodeJob, type DecodeOutcome, MAX_FRAMES, MAX_PIXELS, type VariantJob } from './decoder.ts'

const maxMemory = Number(process.argv[2])
const MEMORY_CHECK_MS = 25
/** Pixels of an animation that is kept moving in a variant: some 2 s of work. Beyond, its first frame stands for it. */
const MAX_ANIMATED_PIXELS = 25_000_000

sharp.block({ operation: ['VipsForeignLoad'] })
sharp.unblock({
  operation: [
    'VipsForeignLoadJpegFile',
    'VipsForeignLoadPngFile',
    'VipsForeignLoadNsgifFile',
    'VipsForeignLoadWebpFile',
  ],
})
sharp.cache(false)
sharp.concurrency(1)

setInterval(() => {
  if (process.memoryUsage.rss() > maxMemory) process.kill(process.pid, 'SIGKILL')
}, MEMORY_CHECK_MS)

// Ctrl-C goes to every process of the terminal, but the server drains first: an upload under way is still decoded.
process.on('SIGINT', () => undefined)
process.on('SIGTERM', () => undefined)
process.on('disconnect', () => process.exit())
process.on('message', (job: DecodeJob) => {
  process.send?.({ outcome: 'taken' })
  decode(job).then(
    (outcome) => process.send?.({ ...outcome }),
    (error: unknown) => process.send?.(blame(error)),
  )
})
process.send?.({ outcome: 'ready' })

const options: SharpOptions = { failOn: 'warning', limitInputPixels: MAX_PIXELS, sequentialRead: true }

async function decode(job: DecodeJob): Promise<DecodeOutcome> {
  const metadata = await readHeader(job.path)
  if (metadata === 'too-many-pixels') return { outcome: metadata }
  const frames = metadata.pages ?? 1
  if (frames > MAX_FRAMES) return { outcome: 'too-many-pixels' }
  if (metadata.format !== job.format || !isComplete(job.format, await readFile(job.path))) {
    return { outcome: 'undecodable' }
  }
  if (frames > 1) await decodeEveryFrame(job.path)
  const variantSizes: number[] = []
  for (const variant of job.variants) variantSizes.push(await writeVariant(job.path, variant, metadata))
  const { width, height } = frames > 1 ? frameSize(metadata) : metadata.autoOrient
  return { outcome: 'decoded', width, height, frames, variantSizes }
}

/** An error of the file system is this machine's; any other is the file's. */
function blame(error: unknown) {
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  return typeof code === 'string' ? { outcome: 'failed', code } : { outcome: 'undecodable' }
}

/** Reads the header alone. The limit on pixels holds for all frames together. */
async function readHeader(path: string): Promise<Metadata | 'too-many-pixels'> {
  try {
    return await sharp(path, { ...options, animated: true }).metadata()
  } catch (error) {
    if (error instanceof Error && error.message.includes('exceeds pixel limit')) return 'too-many-pixels'
    throw error
  }
}

const frameSize = ({ width, height, pageHeight }: Metadata) => ({ width, height: pageHeight ?? height })

/** The variants decode the first frame to its end; this decodes the others, keeping next to nothing. */
async function decodeEveryFrame(path: string): Promise<void> {
  await sharp(path, { ...options, animated: true })
    .resize({ width: 8, height: 8, fit: 'fill' })
    .raw()
    .toBuffer()
}

/** Writes a WebP without metadata and with the orientation applied; answers its bytes. */
async function writeVariant(path: string, variant: VariantJob, metadata: Metadata): Promise<number> {
  const { width, height } = variant
  const pixels = metadata.width * metadata.height * Math.min(1, width / metadata.width) ** 2
  const moves = (metadata.pages ?? 1) > 1
  const animated = moves && pixels <= MAX_ANIMATED_PIXELS
  const image = sharp(path, { ...options, animated })
  const bytes = await (moves ? image : image.autoOrient())
    .resize({ width, height, fit: 'inside', withoutEnlargement: true })
    .webp(animated ? { quality: 75, effort: 0 } : { quality: 80, effort: 3 })
    .toBuffer()
  await writeFile(variant.path, bytes)
  return bytes.length
}
