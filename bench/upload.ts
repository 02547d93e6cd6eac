/** Uploads of photos of 3 MB on one core: until all are answered and until all variants are made, compared with sharp alone doing
 *  the same decoding and variants, and with an earlier version if `--before FOLDER` names its worktree (with this version's
 *  bench/upload/serve.ts). `npm run bench:upload`; `--write` updates docs/benchmarks-upload.md. Needs taskset. */
import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import sharp from 'sharp'
import { landscape } from '#testing/images/landscape.ts'
import { atLeast, atMost, median, spreadOf, type Target } from './report/figures.ts'
import { parseOptions } from './report/options.ts'
import { publish } from './report/page.ts'
import { type Row, spread } from './report/table.ts'
import { type Served, serve } from './upload/served.ts'

const SIZE = { width: 4_000, height: 3_000 }
const PHOTOGRAPHS = 20
/** Concurrent uploads: one per decoder, plus one that is received in the meantime. */
const AT_ONCE = 3
/** The server and sharp run on the first core, the client on the second. */
const [CORE, CLIENT_CORE] = ['0', '1']
/** Small photos that a server receives before it is measured, so that its code is compiled. */
const WARM_UP = 100

const run = promisify(execFile)
const given = process.argv.slice(2)
const at = given.indexOf('--before')
const before = at < 0 ? null : resolve(given.splice(at, 2)[1] ?? '')
const options = parseOptions(given)
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

/** Writes photos under other densities in their JFIF header, so that a server takes them for new ones. */
async function writeAgain(round: number): Promise<string[]> {
  const paths: string[] = []
  for (const [index, bytes] of photographs.entries()) {
    const again = Buffer.from(bytes)
    again.writeUInt16BE(100 + round, 14)
    const path = join(folder, `${index}.jpg`)
    await writeFile(path, again)
    paths.push(path)
  }
  return paths
}

const folder = await mkdtemp(join(tmpdir(), 'sluice-bench-'))
const photographs: Buffer[] = []
for (let seed = 0; seed < count; seed += 1) photographs.push(await photograph(seed))
const small: string[] = []
for (let seed = 0; seed < WARM_UP; seed += 1) {
  const path = join(folder, `small-${seed}.jpg`)
  await writeFile(
    path,
    await sharp(await landscape(seed, { width: 64, height: 48 }))
      .jpeg()
      .toBuffer(),
  )
  small.push(path)
}

/** Returns the number that a program of bench/upload prints. */
async function runOn(core: string, program: string, ...args: readonly string[]): Promise<number> {
  const path = join(import.meta.dirname, 'upload', program)
  const { stdout } = await run('taskset', ['-c', core, process.execPath, path, ...args])
  return Number(stdout)
}

const sharpAlone = (efforts: string, files: readonly string[]): Promise<number> =>
  runOn(CORE, 'sharp-alone.ts', efforts, files[0] ?? '', ...files)

const send = ({ origin, cookie }: Served, files: readonly string[]): Promise<number> =>
  runOn(CLIENT_CORE, 'send.ts', origin, cookie, String(AT_ONCE), ...files)

interface Burst {
  /** Milliseconds until the last answer. */
  readonly answered: number
  /** Milliseconds until the last variant is made. */
  readonly made: number
  /** The same of processor time. */
  readonly cpuAnswered: number
  readonly cpuMade: number
}

async function burst(served: Served, files: readonly string[]): Promise<Burst> {
  const cpu = await served.cpuMs('made')
  const start = performance.now()
  const answered = await send(served, files)
  const cpuAnswered = (await served.cpuMs('now')) - cpu
  const cpuMade = (await served.cpuMs('made')) - cpu
  return { answered, made: performance.now() - start, cpuAnswered, cpuMade }
}

interface Round {
  readonly own: Burst
  readonly earlier: Burst | null
  /** Milliseconds of processor time with the efforts of WebP that were ours before, and with today's. */
  readonly sharp: number
  readonly sharpToday: number
}

await using own = await serve(join(import.meta.dirname, '..'), CORE)
await using earlier = before === null ? null : await serve(before, CORE)
for (const served of [own, earlier]) if (served) await send(served, small)
const rounds: Round[] = []
for (let round = 0; round <= options.rounds; round += 1) {
  const files = await writeAgain(round)
  const measured = {
    sharp: await sharpAlone('3,3,3', files),
    earlier: earlier && (await burst(earlier, files)),
    own: await burst(own, files),
    sharpToday: await sharpAlone('3,2,2', files),
  }
  // The first round starts the decoders.
  if (round > 0) rounds.push(measured)
  console.error(round, JSON.stringify(measured))
}
await rm(folder, { recursive: true })

const perSecond = (times: readonly number[]): number => (1_000 * count) / median(times)
const bursts = { own: rounds.map((round) => round.own), earlier: rounds.flatMap((round) => round.earlier ?? []) }

function row(name: string, times: readonly number[], ratios: readonly number[], target?: Target): Row {
  const ratio = spreadOf(ratios)
  const goals = target ? [{ target, figure: ratio.median }] : []
  const cells = [perSecond(times).toFixed(2), ratio.median.toFixed(2), spread(ratio)]
  return { name, cells, goals, raw: { perSecond: perSecond(times), ratio } }
}

const ones = rounds.map(() => 1)
const ratios = (figure: (round: Round, earlier: Burst) => number) =>
  rounds.flatMap((round) => (round.earlier ? [figure(round, round.earlier)] : []))
const rows: Row[] = [
  row(
    'sharp alone, effort 3',
    rounds.map((round) => round.sharp),
    ones,
  ),
  row(
    'sharp alone, efforts as ours',
    rounds.map((round) => round.sharpToday),
    rounds.map((round) => round.sharpToday / round.sharp),
  ),
  row(
    'all work, of sharp alone',
    rounds.map((round) => round.own.cpuMade),
    rounds.map((round) => round.own.cpuMade / round.sharp),
    atMost(1.15),
  ),
]
if (before !== null)
  rows.unshift(
    row(
      'answers of the version before',
      bursts.earlier.map((each) => each.answered),
      ones,
    ),
    row(
      'answers, times the version before',
      bursts.own.map((each) => each.answered),
      ratios(({ own }, earlier) => earlier.cpuAnswered / own.cpuAnswered),
      atLeast(1.8),
    ),
    row(
      'sustained, times the version before',
      bursts.own.map((each) => each.made),
      ratios(({ own }, earlier) => earlier.cpuMade / own.cpuMade),
    ),
  )
const megabytes = photographs.reduce((sum, { length }) => sum + length, 0) / photographs.length / 1e6
publish(
  { title: 'Benchmark of uploads', script: 'bench:upload', file: 'benchmarks-upload.md' },
  [
    {
      title: 'Uploads',
      about: `Made-up photographs of ${SIZE.width} x ${SIZE.height} pixels and ${megabytes.toFixed(1)} MB in the mean, ${count} a round, ${AT_ONCE} at once, each new to the server. The server runs on one core, the client on another; ${options.rounds} rounds, in each of which all contenders take their turn. An upload is answered when it is received over HTTP, cleaned, decoded to its end, hashed, and stored on disk with its rows and its smallest variant. It is sustained at the rate at which all its variants are made too.

Answers and sustained uploads are per second by the clock, the other rows per second of processor time. Ratios are of processor time, which other work on the machine changes less. Beside the server a process does with the same files what of this is sharp's: decoding, three variants in WebP and the pixels of the placeholder.`,
      columns: ['photographs/s', 'ratio', 'least to most'],
      rows,
    },
  ],
  options,
)
