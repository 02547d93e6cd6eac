/** Uploads of photos of 3 MB compared with sharp alone doing the same decoding and variants. `npm run bench:upload`; `--write`
 *  updates docs/benchmarks-upload.md. The server without its pages runs in this process, its decoders and the uploading client
 *  in others. */
import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import sharp from 'sharp'
import { tuneHeap } from '#server/heap.ts'
import { landscape } from '#testing/images/landscape.ts'
import { startApp } from '#testing/sluice-app.ts'
import { atLeast, median, spreadOf } from './report/figures.ts'
import { parseOptions } from './report/options.ts'
import { publish } from './report/page.ts'
import { type Row, spread } from './report/table.ts'

// As the server does.
tuneHeap()

const SIZE = { width: 4_000, height: 3_000 }
const PHOTOGRAPHS = 20
/** Concurrent uploads: one per decoder, plus one that is received in the meantime. */
const AT_ONCE = 3
const TARGET = atLeast(0.8)

const run = promisify(execFile)
const options = parseOptions(process.argv.slice(2))
const count = options.scaled(PHOTOGRAPHS)

/** A generated photo with sensor noise, about 3 MB as a JPEG; different for each seed. */
async function photograph(seed: number): Promise<Buffer> {
  const noise = { width: 1_024, height: 768, channels: 3, noise: { type: 'gaussian', mean: 128, sigma: 26 } } as const
  const grain = await sharp({ create: { ...noise, background: 'gray' } })
    .png()
    .toBuffer()
  const tile = { input: grain, tile: true, blend: 'soft-light' } as const
  return sharp(await landscape(seed, SIZE))
    .composite([tile])
    .jpeg({ quality: 90 })
    .toBuffer()
}

/** Small photos that a server receives before it is measured, so that its code is compiled. */
const WARM_UP = 400

async function writeImage(name: string, bytes: Buffer): Promise<{ readonly path: string; readonly size: number }> {
  const path = join(folder, `${name}.jpg`)
  await writeFile(path, bytes)
  return { path, size: bytes.length }
}

const folder = await mkdtemp(join(tmpdir(), 'sluice-bench-'))
const files: { readonly path: string; readonly size: number }[] = []
for (let seed = 0; seed < count * (options.rounds + 1); seed += 1)
  files.push(await writeImage(`${seed}`, await photograph(seed)))
const small: typeof files = []
for (let seed = 0; seed < WARM_UP; seed += 1) {
  const bytes = await sharp(await landscape(seed, { width: 64, height: 48 }))
    .jpeg()
    .toBuffer()
  small.push(await writeImage(`small-${seed}`, bytes))
}
const bytesOf = (some: typeof files) => some.reduce((sum, { size }) => sum + size, 0)

await using served = await startApp()
const person = await served.person({ role: 'superadmin' })

/** Returns the milliseconds that a program of bench/upload prints. */
async function timeOf(program: string, ...args: readonly string[]): Promise<number> {
  const { stdout } = await run(process.execPath, [join(import.meta.dirname, 'upload', program), ...args])
  return Number(stdout)
}

const sluice = (some: typeof files): Promise<number> =>
  timeOf('send.ts', served.origin, person.cookie, String(AT_ONCE), ...some.map(({ path }) => path))

const sharpAlone = (some: typeof files): Promise<number> =>
  timeOf('sharp-alone.ts', ...[some[0], ...some].map((file) => file?.path ?? ''))

await sluice(small)
const rounds: { readonly alone: number; readonly own: number }[] = []
for (let round = 0; round <= options.rounds; round += 1) {
  const some = files.slice(round * count, (round + 1) * count)
  const before = await sharpAlone(some)
  const own = await sluice(some)
  const alone = (before + (await sharpAlone(some))) / 2
  // The first round starts the decoders.
  if (round > 0) rounds.push({ alone, own })
  console.error(round, (alone / count).toFixed(0), (own / count).toFixed(0), (alone / own).toFixed(2))
}
await rm(folder, { recursive: true })

const ratio = spreadOf(rounds.map(({ alone, own }) => alone / own))
const perSecond = (times: readonly number[]) => (1_000 * count) / median(times)
const [alone, own] = [perSecond(rounds.map((round) => round.alone)), perSecond(rounds.map((round) => round.own))]
const rows: Row[] = [
  { name: 'sharp alone', cells: [alone.toFixed(2), '1.00', '1.00 to 1.00'], raw: alone },
  {
    name: 'image.upload',
    cells: [own.toFixed(2), ratio.median.toFixed(2), spread(ratio)],
    goals: [{ target: TARGET, figure: ratio.median }],
    raw: { own, ratio },
  },
]
publish(
  { title: 'Benchmark of uploads', script: 'bench:upload', file: 'benchmarks-upload.md' },
  {
    title: 'Uploads',
    about: `Made-up photographs of ${SIZE.width} x ${SIZE.height} pixels and ${(bytesOf(files) / files.length / 1e6).toFixed(1)} MB in the mean, ${count} a round, each sent once: received over HTTP, cleaned, decoded, three variants and a placeholder made, hashed and stored on disk with their rows, ${AT_ONCE} at once, by two decoders; the server has taken ${WARM_UP} small images before. Beside it a process that does with the same files what of this is sharp's, two at once. Each round of uploads stands between two of sharp; ${options.rounds} rounds.`,
    columns: ['photographs/s', 'of sharp', 'least to most'],
    rows,
  },
  options,
)
