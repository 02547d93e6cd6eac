// npm run demo:viral-share: a link with 1 GB a day is read from 500 addresses until it stops, while another link of its owner
// continues, among 100,000 links. Beside it what the bucket has sent.
import pLimit from 'p-limit'
import { behindProxy, uploadAccepted } from '../http/image-client.ts'
import { picture } from '../images/pictures.ts'
import { startCountingS3 } from '../servers/counting-s3.ts'
import { startApp } from '../sluice/sluice-app.ts'

const ADDRESSES = 500
const LINKS = 100_000
const BYTES_PER_DAY = 1_000_000_000
const AT_ONCE = 32

await using s3 = await startCountingS3()
// Without a cache, so that each read is one of the bucket.
await using sluice = await startApp({
  ...behindProxy,
  S3_BUCKET: s3.bucket,
  S3_ENDPOINT: s3.endpoint,
  S3_ACCESS_KEY_ID: s3.accessKeyId,
  S3_SECRET_ACCESS_KEY: s3.secretAccessKey,
  SLUICE_CACHE_MAX: '0',
})
const owner = await sluice.person()
const { share } = sluice.as(owner)
const image = await uploadAccepted(
  sluice,
  owner,
  await picture({ width: 2_000, height: 1_500, format: 'png', seed: 1 }),
)
const target = { images: [image.id] }
const viral = await share.create({ target, originals: true, limits: { bytesPerDay: BYTES_PER_DAY } })
const quiet = await share.create({ target, originals: true })
const [viralUrl, quietUrl] = [await originalOf(viral.url), await originalOf(quiet.url)]
await addLinks()
console.log(
  `A picture of ${megabytes(image.size)} and two links to it, of which one may send ${megabytes(BYTES_PER_DAY)} a day.`,
)

const before = s3.bytes.out
const statuses = new Map<number, number>()
const others = new Map<number, number>()
let sent = 0
let refusal = ''
const limited = pLimit(AT_ONCE)
const begun = performance.now()
for (let round = 0; refusal === ''; round += 1) {
  await Promise.all(Array.from({ length: ADDRESSES }, (_, at) => limited(() => readViral(at))))
  const { status } = await read(quietUrl, `203.0.113.${round + 1}`)
  others.set(status, (others.get(status) ?? 0) + 1)
}
const seconds = (performance.now() - begun) / 1_000

console.log(
  `${ADDRESSES} addresses read it for ${seconds.toFixed(0)} s: ${describe(statuses)}, ${megabytes(sent)} sent.`,
)
console.log(`The first refusal: ${refusal}`)
console.log(`The other link, once a round: ${describe(others)}.`)
console.log(`The bucket has sent ${megabytes(s3.bytes.out - before)}, with the reads of the other link.`)
const { items } = await share.list({})
console.log(`Its owner sees: ${JSON.stringify(items.find(({ id }) => id === viral.id)?.today)}`)

async function readViral(at: number): Promise<void> {
  const answer = await read(viralUrl, `198.18.${at >> 8}.${at & 255}`)
  statuses.set(answer.status, (statuses.get(answer.status) ?? 0) + 1)
  if (answer.status === 200) sent += answer.body.length
  else refusal ||= `${answer.status}, Retry-After ${answer.retryAfter}: ${answer.body.toString().trim()}`
}

async function read(url: string, address: string, post?: object) {
  const headers = { 'x-forwarded-for': address, 'content-type': 'application/json' }
  const answer = await fetch(url, { headers, ...(post && { method: 'POST', body: JSON.stringify(post) }) })
  const body = Buffer.from(await answer.arrayBuffer())
  return { status: answer.status, body, retryAfter: answer.headers.get('retry-after') }
}

async function originalOf(url: string): Promise<string> {
  const shown = await sluice.as(null, '203.0.113.250').share.open({ token: url.split('/').at(-1) ?? '' })
  return shown.images[0]?.originalUrl ?? shown.images[0]?.url ?? ''
}

/** Adds links of another owner, opens every hundredth, lists some, and prints what they cost the process. */
async function addLinks(): Promise<void> {
  const other = await sluice.person()
  const shown = await uploadAccepted(sluice, other, await picture({ seed: 2 }))
  await sluice.app.db.$executeRaw`
    WITH link AS (
      INSERT INTO "Share" (id, "ownerId", "tokenHash", "sealedToken")
      SELECT gen_random_uuid(), ${other.viewer.userId}::uuid, encode(sha256(lpad(n::text, 24, '0')::bytea), 'hex'), ''
      FROM generate_series(1, ${LINKS}::int) n RETURNING id
    ) INSERT INTO "ShareImage" ("shareId", "imageId", position) SELECT id, ${shown.id}::uuid, 0 FROM link`
  let heapBefore = 0
  const times: number[] = []
  for (let at = 100; at <= LINKS; at += 100) {
    // What the first calls load and compile is kept whatever they open.
    if (at === LINKS / 2) heapBefore = heap()
    const started = performance.now()
    const answer = await read(`${sluice.origin}/api/trpc/share.open`, `198.19.${at % 251}.${(at / 100) % 251}`, {
      token: String(at).padStart(24, '0'),
    })
    if (answer.status !== 200) throw new Error(`${answer.status}: ${answer.body.toString()}`)
    times.push(performance.now() - started)
  }
  const lists: number[] = []
  for (let at = 0; at < 20; at += 1) {
    const started = performance.now()
    await sluice.as(other).share.list({})
    lists.push(performance.now() - started)
  }
  const kept = ((heap() - heapBefore) / 1_024).toFixed(0)
  console.log(
    `${times.length} of ${LINKS} links opened: ${median(times).toFixed(1)} ms each (median), ${kept} KiB of heap kept after the second half; a page of 30 listed in ${median(lists).toFixed(1)} ms.`,
  )
}

function median(times: readonly number[]): number {
  return times.toSorted((one, two) => one - two)[times.length >> 1] ?? 0
}

function heap(): number {
  globalThis.gc?.()
  return process.memoryUsage().heapUsed
}

function megabytes(bytes: number): string {
  return `${(bytes / 1e6).toFixed(1)} MB`
}

function describe(counts: ReadonlyMap<number, number>): string {
  return [...counts].map(([status, count]) => `${count} × ${status}`).join(', ')
}
