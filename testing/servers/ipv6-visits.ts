// Starts a server on all addresses and visits it from those of an order, one after the other: for testing/servers/own-network.ts. Prints the
// statuses as JSON.
import { mkdtemp, rm } from 'node:fs/promises'
import { request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { z } from 'zod'
import { openDatabase } from '#server/database/database.ts'
import { newSlug } from '#server/images/slug.ts'
import { startSluiceServer } from '../sluice/sluice-server.ts'

const { denied, visits } = z
  .object({ denied: z.array(z.string()), visits: z.array(z.string()) })
  .parse(JSON.parse(process.argv[2] ?? ''))

await using ended = new AsyncDisposableStack()
const dataDir = await mkdtemp(join(tmpdir(), 'sluice-ipv6-'))
ended.defer(() => rm(dataDir, { recursive: true, force: true }))
const { db, close } = await openDatabase({ dataDir, databaseUrl: null })
const change = { verdict: 'deny', changedAt: new Date(), changedBy: 'a test' } as const
await db.accessRule.createMany({ data: denied.map((cidr) => ({ cidr, ...change })) })
await close()
const { port } = ended.use(await startSluiceServer({ dataDir, env: { HOST: '::', SLUICE_LOG: 'error' } }))
const statuses: (number | undefined)[] = []
for (const address of visits) statuses.push(await visit(address))
console.log(JSON.stringify(statuses))

/** Asks for an image that does not exist. Returns the status. */
function visit(localAddress: string): Promise<number | undefined> {
  const host = localAddress.includes(':') ? '2001:db8::1' : '127.0.0.1'
  return new Promise((resolve, reject) => {
    request({ host, port, localAddress, agent: false, path: `/i/${newSlug()}.png` }, (answer) => {
      answer.resume().on('end', () => resolve(answer.statusCode))
    })
      .on('error', reject)
      .end()
  })
}
