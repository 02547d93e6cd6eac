import { randomBytes } from 'node:crypto'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { toCaller, type Viewer } from '#server/accounts/viewer.ts'
import { sentBytes } from '#server/images/limits.ts'
import { compileRuleSets } from '#server/limits/rules/compile.ts'
import { WHOLE_BYTES } from '#server/storage/object-store.ts'
import { drawRangeRead, makeRangeRead, type RangeRead } from '#testing/http/range-reads.ts'
import { type StoredImage, storeImageFor } from '#testing/library/stored-image.ts'
import { type Random, seededRandom } from '#testing/random.ts'
import { sample, seed } from '#testing/sampled.ts'
import { type BucketApp, startBucketApp } from '#testing/sluice/bucket-app.ts'
import { within } from '#testing/within.ts'

/** Rounds of reads at a time. */
const ROUNDS = sample(600, 6)
const SIZES = [8, 5_000, 1_000_000, 4 * 1024 * 1024, 4 * 1024 * 1024 + 1, 6_000_000] as const
/** What a bucket may have sent beyond what was asked of it when its connection is cut. */
const CHUNK = 128 * 1024

/** A client with an address, or an account, of its own. */
interface Reader {
  readonly viewer: Viewer | null
  readonly address: string
  readonly credentials: Readonly<Record<string, string>>
}

const sets = compileRuleSets('test', sentBytes)

async function makeReaders(served: BucketApp, round: number): Promise<Reader[]> {
  const people = [null, null, null, null, await served.person()]
  return people.map((person, index) => {
    const address = `10.${round >> 8}.${round & 255}.${index}`
    const credentials = { 'X-Forwarded-For': address, ...(person && { Cookie: person.cookie }) }
    return { viewer: person?.viewer ?? null, address, credentials }
  })
}

async function chargedTo({ app }: BucketApp, readers: readonly Reader[]): Promise<number[]> {
  const decisions = readers.map(({ viewer, address }) =>
    app.limiter.peek([{ sets, caller: toCaller(viewer, address) }]),
  )
  return (await Promise.all(decisions)).map(({ rules: [rule] }) => (rule ? rule.limit - rule.remaining : Number.NaN))
}

const countConnections = ({ server }: BucketApp): Promise<number> => promisify(server.getConnections).call(server)

/** How the bucket fails in a round: `lost` counts the bytes of responses that it cuts. */
function drawFault(random: Random, lost: (bytes: number) => void): BucketApp['s3']['fault'] {
  const after = random.below(5_000_000)
  const faults: readonly BucketApp['s3']['fault'][] = [
    () => ({ paceMs: 1 }),
    () => ({ answer: { status: 403, headers: {}, body: '', at: 'head' } }),
    () => {
      lost(after + CHUNK)
      return { end: { how: 'cut', after } }
    },
  ]
  const fault = faults[random.below(8)]
  return (operation) => (operation === 'get' && fault ? fault(operation) : null)
}

/** Returns a sentence if a reader was charged more than these reads cost, or less: whoever leaves at once may not have been charged,
 *  and nobody pays for what a faulty bucket did not send. */
function describeCharge(reads: readonly RangeRead[], charged: number, isFaulty: boolean): string[] {
  const most = sum(reads)
  const least = isFaulty ? 0 : sum(reads.filter(({ leaves }) => leaves !== 'at once'))
  return charged > most || charged < least ? [`${charged} not in ${least}-${most}`] : []
}

test('whatever ranges are asked for, by whom, and whenever they leave, the bucket sends no more than is charged', async () => {
  await using served = await startBucketApp({ SLUICE_CACHE_MAX: '64MB' })
  const random = seededRandom(seed)
  const owner = await served.person()
  const store = (size: number) => storeImageFor(served, owner, { bytes: randomBytes(size) })
  const images: StoredImage[] = await Promise.all(SIZES.map(store))
  let readers: readonly Reader[] = []
  let cutBefore = 0
  for (let round = 0; round < ROUNDS; round += 1) {
    // A limit of calls per minute would refuse the same ones for ever.
    if (round % 10 === 0) readers = await makeReaders(served, round)
    const at = random.below(SIZES.length)
    if (random.below(2)) images[at] = await store(SIZES[at] ?? 8)
    const [charged, sent] = [await chargedTo(served, readers), served.s3.bytes.out]
    let [isFaulty, lost] = [false, 0]
    const fault = drawFault(random, (bytes) => {
      lost += bytes
    })
    served.s3.fault = (operation) => {
      const found = fault(operation)
      isFaulty ||= found?.answer !== undefined || found?.end !== undefined
      return found
    }
    const reads = Array.from({ length: 1 + random.below(8) }, () => {
      const image = images[random.below(3) ? at : random.below(images.length)] ?? images[0]
      if (!image) throw new Error('there are no images')
      return { by: random.below(readers.length), read: drawRangeRead(image, random) }
    })
    const problems = await Promise.all(reads.map(({ by, read }) => makeRangeRead(read, readers[by]?.credentials ?? {})))
    const story = `round ${round}: ${JSON.stringify(reads.map(describe))}`
    if (!isFaulty) expect([story, problems.filter((problem) => problem !== null)]).toEqual([story, []])

    // Accepted after the connections of those that left at once.
    await fetch(`${served.origin}/healthz`, { headers: { connection: 'close' } })
    await within(20_000, async () => {
      expect([await countConnections(served), served.s3.open]).toEqual([0, 0])
      const now = await chargedTo(served, readers)
      const amiss = readers.flatMap((_, by) => {
        const own = reads.filter((each) => each.by === by).map(({ read }) => read)
        return describeCharge(own, (now[by] ?? 0) - (charged[by] ?? 0), isFaulty)
      })
      expect([story, amiss]).toEqual([story, []])
    })
    const now = await chargedTo(served, readers)
    const paid = now.reduce((all, each, by) => all + each - (charged[by] ?? 0), 0)
    const cut = reads.filter(({ read }) => read.leaves !== 'never' && read.image.bytes.length > WHOLE_BYTES).length
    // A read whose client left at once may reach the bucket in the next round.
    const spare = (cut + cutBefore) * CHUNK
    cutBefore = cut
    expect([story, Math.max(0, served.s3.bytes.out - sent - paid - lost - spare)]).toEqual([story, 0])
  }
  served.s3.fault = () => null
  await served.compare('but for buffers')
}, 3_600_000)

const sum = (reads: readonly RangeRead[]): number => reads.reduce((all, { charge }) => all + charge, 0)

const describe = ({ by, read }: { by: number; read: RangeRead }) =>
  `${by}: ${read.method} ${read.image.bytes.length} ${JSON.stringify(read.headers)} leaves ${read.leaves}`
