/** Sluice as bench/bytes.ts measures it: with its real rule sets, without pages and log, over PostgreSQL and a disk. Prints its port
 *  and the paths and ETags of its images. */
import { createHash, randomBytes } from 'node:crypto'
import { behindProxy } from '../../testing/http/image-client.ts'
import { storeImageFor } from '../../testing/library/stored-image.ts'
import { startPostgresServer } from '../../testing/servers/postgres-server.ts'
import { startApp } from '../../testing/sluice/sluice-app.ts'
import { holdInMemory } from '../../testing/storage/held-store.ts'

const [images = '100', size = '102400'] = process.argv.slice(2)

const postgres = await startPostgresServer()
const served = await startApp({ ...behindProxy, DATABASE_URL: postgres.url })
if (!served.app.images.store.held) holdInMemory(served.app.images.store)
const owner = await served.person()
const paths: object[] = []
for (let index = 0; index < Number(images); index += 1) {
  const bytes = randomBytes(Number(size))
  const rendering = randomBytes(Number(size))
  const { url } = await storeImageFor(served, owner, { bytes, variants: { 800: rendering } })
  const { pathname } = new URL(url)
  paths.push({ path: pathname, etag: etagOf(bytes) }, { path: `${pathname}?w=800`, etag: etagOf(rendering) })
}
const large = await storeImageFor(served, owner, { bytes: randomBytes(8_000_000) })
console.log(JSON.stringify({ port: Number(new URL(served.origin).port), paths, large: new URL(large.url).pathname }))
process.once('SIGTERM', async () => {
  await served[Symbol.asyncDispose]()
  await postgres[Symbol.asyncDispose]()
  process.exit(0)
})

function etagOf(bytes: Buffer): string {
  return `"${createHash('sha256').update(bytes).digest('hex')}"`
}
