// npm run demo:bill [-- --prices r2]: what reads of images cost at a bucket's provider, through Sluice and through a proxy that
// fetches every read, and when a budget stops the spending.
import { parseArgs } from 'node:util'
import pLimit from 'p-limit'
import { published } from '#server/budgets/bill/prices.ts'
import type { UploadAnswer } from '#server/images/uploading/upload-answer.ts'
import { type BilledRequests, describeBill, money, since, sumCost } from '../budgets/bill.ts'
import { behindProxy, read, sendUpload, uploadAccepted } from '../http/image-client.ts'
import { picture } from '../images/pictures.ts'
import { seededRandom } from '../random.ts'
import { startCountingS3 } from '../servers/counting-s3.ts'
import { startApp } from '../sluice/sluice-app.ts'

const IMAGES = 20
const READS = 300
const AT_ONCE = 16
/** Large enough for most of the images, none of which takes more than a tenth of it. */
const CACHE_MB = 4
/** In nanos, for reads of many images. */
const BUDGET = 500_000
const RAISED = 300_000_000

const { values } = parseArgs({ options: { prices: { type: 'string', default: 's3' } } })
const prices = Object.values(published).find(({ provider }) => provider === values.prices) ?? published.s3
const told = (bill: BilledRequests) => describeBill(bill, prices)

await using s3 = await startCountingS3()
await using sluice = await startApp({
  ...behindProxy,
  S3_BUCKET: s3.bucket,
  S3_ENDPOINT: s3.endpoint,
  S3_ACCESS_KEY_ID: s3.accessKeyId,
  S3_SECRET_ACCESS_KEY: s3.secretAccessKey,
  SLUICE_CACHE_MAX: `${CACHE_MB}MB`,
})
const owner = await sluice.person({ role: 'superadmin' })
const { budget } = sluice.as(owner)
await budget.setPrices({ prices })
console.log(`${prices.name}, prices of ${prices.asOf}; a cache of ${CACHE_MB} MB.`)

const images: UploadAnswer[] = []
for (let seed = 1; seed <= IMAGES; seed += 1) {
  images.push(await uploadAccepted(sluice, owner, await picture({ width: 400, height: 300, format: 'png', seed })))
}
const bytes = images.reduce((sum, { size }) => sum + size, 0)
console.log(`${IMAGES} images of ${(bytes / 1e6).toFixed(1)} MB are uploaded: ${told(seen())}`)

const random = seededRandom(1)
const anyImage = () => images[random.below(IMAGES)]
await hammer('One image', () => images[0])
const limit = Math.ceil(sumCost(seen(), prices)) + BUDGET
await setBudget(limit)
await hammer(`${IMAGES} images`, anyImage)
const refused = await sendUpload(sluice, owner, await picture({ seed: IMAGES + 1 }))
console.log(`  an upload:     ${refused.status}`)
await setBudget(limit + RAISED)
await hammer(`${IMAGES} images`, anyImage)

await sluice.app.budgets.close()
const [counted] = (await budget.overview()).days.slice(-1)
if (!counted) throw new Error('Nothing was counted')
console.log(`\nTotal counted by Sluice: ${told(counted)}\n     seen by the bucket: ${told(seen())}`)

/** Reads the originals of images from many addresses, and prints the outcome. */
async function hammer(what: string, next: () => UploadAnswer | undefined): Promise<void> {
  const before = seen()
  const statuses: Record<number, number> = {}
  const refusals: string[] = []
  let plainBytes = 0
  const readOne = async (_: unknown, turn: number) => {
    const image = next()
    if (!image) return
    plainBytes += image.size
    const answer = await read(image.url)
    const body = Buffer.from(await answer.arrayBuffer())
    statuses[answer.status] = (statuses[answer.status] ?? 0) + 1
    if (!answer.ok)
      refusals.push(`at read ${turn + 1}, Retry-After ${answer.headers.get('retry-after')}: ${body.toString().trim()}`)
  }
  const limited = pLimit(AT_ONCE)
  const begun = performance.now()
  await Promise.all(Array.from({ length: READS }, (each, turn) => limited(() => readOne(each, turn))))
  const seconds = ((performance.now() - begun) / 1_000).toFixed(1)
  console.log(`\n${what}, ${READS} reads in ${seconds} s: ${JSON.stringify(statuses)}`)
  console.log(`  a plain proxy: ${told({ writes: 0, reads: READS, bytesIn: 0, bytesOut: plainBytes })}`)
  console.log(`  Sluice:        ${told(since(seen(), before))}`)
  if (refusals[0]) console.log(`  the budget:    ${refusals[0]}`)
  for (const { state, used, limit } of (await budget.overview()).budgets) {
    console.log(`  the budget:    ${state}, ${money(used, prices)} of ${money(limit, prices)}`)
  }
}

async function setBudget(limit: number): Promise<void> {
  await budget.set({ period: 'day', unit: 'money', limit })
  console.log(`\nThe budget of the day is set to ${money(limit, prices)}.`)
}

/** The requests that the bucket has seen so far. */
function seen(): BilledRequests {
  const sum = (...names: Parameters<typeof s3.requests.get>[0][]) =>
    names.reduce((all, name) => all + (s3.requests.get(name) ?? 0), 0)
  return {
    writes: sum('put', 'create upload', 'part', 'complete upload', 'list'),
    reads: sum('get', 'head'),
    bytesIn: s3.bytes.in,
    bytesOut: s3.bytes.out,
  }
}
