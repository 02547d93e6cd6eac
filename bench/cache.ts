/** How many reads the cache saves the bucket, compared with an LRU of the same capacity on the same reads. `npm run bench:cache`;
 *  `-- --seed n`, `--reads n`, and `--write` for docs/benchmarks-cache.md. Uses the server's index in memory, without files.
 *  Nothing is timed, so any machine gives the same figures for the same seed. */
import { createHash } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { LRUCache } from 'lru-cache'
import { type ObjectKey, originalKey } from '#server/storage/object-store.ts'
import { CacheIndex } from '../server/storage/cache/cache-index.ts'
import { openTables } from '../server/storage/cache/index-file.ts'
import { type Random, seededRandom } from '../testing/random.ts'
import { processor, today } from './report/machine.ts'
import { asMarkdown, type Table } from './report/table.ts'

const IMAGES = 100_000
/** Each image has a thumbnail and an original. */
const OBJECTS = 2 * IMAGES
const THUMBNAILS = 0.9
const GB = 1024 ** 3
const CAPACITIES = [0.25, 1, 4, 16]
/** A crawler's share of all reads, image after image, in loads with a crawler. */
const CRAWLED = 0.1

interface Load {
  readonly name: string
  /** The exponent of Zipf's law. */
  readonly skew: number
  readonly isCrawled: boolean
}

const loads: readonly Load[] = [
  { name: 'Zipf 0.8', skew: 0.8, isCrawled: false },
  { name: 'Zipf 1.0', skew: 1, isCrawled: false },
  { name: 'Zipf 0.8, a tenth by a crawler', skew: 0.8, isCrawled: true },
]

interface Ratios {
  readonly hits: number
  readonly bytes: number
}

/** Processes a read in a cache: returns whether the object was cached, and may cache it from then on. */
type Reads = (object: number) => boolean

const { values } = parseArgs({
  options: {
    seed: { type: 'string', default: '20261121' },
    reads: { type: 'string', default: '200000' },
    write: { type: 'boolean', default: false },
  },
})
const seed = Number(values.seed)
const reads = Number(values.reads)

const sizes = sizesOf(seededRandom(seed))
const keys = Array.from({ length: OBJECTS }, (_, object) => keyOf(object))
const tables = loads.map(tableOf)
const text = documentOf(tables)
console.log(text)
if (values.write) writeFileSync(join(import.meta.dirname, '../docs/benchmarks-cache.md'), text)

/** Log-normal sizes: thumbnails around 20 KB, originals around 1.5 MB, none above 25 MB. */
function sizesOf(random: Random): Float64Array {
  const normal = () => Math.sqrt(-2 * Math.log(unit(random))) * Math.cos(2 * Math.PI * unit(random))
  return Float64Array.from({ length: OBJECTS }, (_, object) => {
    const [middle, spread] = isThumbnail(object) ? [20_000, 0.5] : [1_500_000, 0.9]
    return Math.min(25 * 1024 ** 2, Math.ceil(middle * Math.exp(spread * normal())))
  })
}

function isThumbnail(object: number): boolean {
  return object < IMAGES
}

/** A random number greater than 0 and at most 1. */
function unit(random: Random): number {
  return (random.below(2 ** 31) + 1) / 2 ** 31
}

function keyOf(object: number): ObjectKey {
  return originalKey(createHash('sha256').update(String(object)).digest('hex'))
}

/** The objects that are read, in order. */
function traceOf({ skew, isCrawled }: Load): Uint32Array {
  const random = seededRandom(seed + 1)
  const ranks = new Float64Array(IMAGES)
  let sum = 0
  for (let rank = 0; rank < IMAGES; rank += 1) {
    sum += 1 / (rank + 1) ** skew
    ranks[rank] = sum
  }
  let crawled = 0
  return Uint32Array.from({ length: reads }, () => {
    if (isCrawled && unit(random) <= CRAWLED) {
      crawled = (crawled + 1) % IMAGES
      return crawled
    }
    const image = rankOf(ranks, unit(random) * sum)
    return unit(random) <= THUMBNAILS ? image : IMAGES + image
  })
}

/** The first rank whose sum reaches `value`. */
function rankOf(ranks: Float64Array, value: number): number {
  let [low, high] = [0, ranks.length - 1]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((ranks[middle] ?? 0) < value) low = middle + 1
    else high = middle
  }
  return low
}

/** Counts only the second half of the reads, because the caches fill during the first. */
function measure(trace: Uint32Array, read: Reads): Ratios {
  const counted = { reads: 0, hits: 0, bytes: 0, hitBytes: 0 }
  for (const [at, object] of trace.entries()) {
    const isHit = read(object)
    if (at < trace.length / 2) continue
    const size = sizes[object] ?? 0
    counted.reads += 1
    counted.bytes += size
    if (!isHit) continue
    counted.hits += 1
    counted.hitBytes += size
  }
  return { hits: counted.hits / counted.reads, bytes: counted.hitBytes / counted.bytes }
}

function byIndex(trace: Uint32Array, capacity: number): Ratios {
  const db = openTables(':memory:')
  const index = new CacheIndex({
    db,
    capacity,
    self: 'bench',
    now: () => 0,
    hasEnded: () => false,
    removeFile: () => undefined,
  })
  const ratios = measure(trace, (object) => readIndex(index, object))
  index.close()
  return ratios
}

function readIndex(index: CacheIndex, object: number): boolean {
  const key = keys[object]
  if (!key) throw new RangeError(`No object ${object}`)
  const found = index.find(key)
  if (found) {
    index.countHit(found.id)
    return true
  }
  const id = index.claim(key)
  if (id === null) throw new Error('Claimed twice')
  let outcome = index.reserve(id, sizes[object] ?? 0)
  while (outcome === 'more') outcome = index.reserve(id, sizes[object] ?? 0)
  if (outcome === 'reserved') index.commit(id)
  else index.remove(id)
  return false
}

function byLru(trace: Uint32Array, capacity: number): Ratios {
  const cache = new LRUCache<number, true>({ maxSize: capacity, sizeCalculation: (_, object) => sizes[object] ?? 0 })
  return measure(trace, (object) => {
    if (cache.get(object)) return true
    cache.set(object, true)
    return false
  })
}

function tableOf(load: Load): Table {
  const trace = traceOf(load)
  const rows = CAPACITIES.map((gigabytes) => {
    const [ours, lru] = [byIndex(trace, gigabytes * GB), byLru(trace, gigabytes * GB)]
    const cells = [percent(ours.hits), percent(lru.hits), percent(ours.bytes), percent(lru.bytes)]
    const misses = (1 - ours.hits) / (1 - lru.hits)
    return { name: `${gigabytes} GB`, cells: [...cells, misses.toFixed(2)], raw: { ours, lru } }
  })
  const unique = new Set(trace)
  const total = [...unique].reduce((bytes, object) => bytes + (sizes[object] ?? 0), 0)
  return {
    title: load.name,
    about: `${unique.size.toLocaleString('en')} objects of ${(total / GB).toFixed(1)} GB are read at all.`,
    columns: ['hits', 'LRU', 'bytes', 'LRU', 'misses to LRU’s'],
    rows,
  }
}

function percent(share: number): string {
  return `${(100 * share).toFixed(1)} %`
}

function documentOf(all: readonly Table[]): string {
  return `# What the cache spares the bucket

Of the reads of ${IMAGES.toLocaleString('en')} images the share that the cache answers, and of their bytes, beside an LRU (lru-cache) of the same
capacity on the same reads. \`npm run bench:cache -- --write\` measures and writes this page. Which image is read follows Zipf's law;
${100 * THUMBNAILS} % of the reads want a thumbnail (around 20 KB), the others the original (around 1.5 MB). ${reads.toLocaleString('en')} reads, of which the second
half is counted; seed ${seed}. The policy is S3-FIFO in the server's own index. Nothing is timed: any machine gives these figures.

- ${processor()}
- Node ${process.versions.node}, ${today()}

${all.map(asMarkdown).join('\n\n')}
`
}
