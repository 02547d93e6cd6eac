import { createHash } from 'node:crypto'
import { openDatabase } from '#server/database/database.ts'
import { signedIn } from '#testing/accounts/signed-in.ts'
import { behindProxy } from '#testing/http/image-client.ts'
import { parseExposition } from '#testing/http/parse-exposition.ts'
import { type SluiceServer, startSluiceServer } from '#testing/sluice/sluice-server.ts'

const SECRET = 'a secret of the benchmark, 32 or more of it'
const TOKEN = 'token-of-the-benchmark'
/** Enough that no account reaches a limit. */
const PEOPLE = 400

/** A site in one process or in several, with signed-in people. */
export interface Site extends AsyncDisposable {
  readonly processes: number
  readonly sluice: SluiceServer
  readonly cookies: readonly string[]
  /** Resolves when no decoder is at work. */
  settled(): Promise<void>
}

export async function startSite(processes: number, stores: { databaseUrl: string; redisUrl: string }): Promise<Site> {
  const env = {
    ...{ ...behindProxy, DATABASE_URL: stores.databaseUrl, REDIS_URL: stores.redisUrl, SLUICE_SECRET: SECRET },
    ...{ SLUICE_PROCESSES: String(processes), SLUICE_METRICS_TOKEN: TOKEN, SLUICE_LOG: 'warn' },
  }
  const sluice = await startSluiceServer({ env, isMeasured: true })
  const { db, close } = await openDatabase({ dataDir: '', databaseUrl: stores.databaseUrl })
  const cookies = await Array.fromAsync(
    { length: PEOPLE },
    async () => (await signedIn(db, { origin: sluice.origin, secret: SECRET }, {})).cookie,
  )
  await close()
  const read = async (name: string) => {
    const answer = await fetch(`${sluice.origin}/metrics`, { headers: { authorization: `Bearer ${TOKEN}` } })
    const samples = parseExposition(await answer.text()).get(name)?.samples ?? []
    return samples.reduce((sum, { value }) => sum + value, 0)
  }
  const settled = async () => {
    for (let idle = 0; idle < 3; ) {
      const busy = (await read('sluice_decoder_running')) + (await read('sluice_decoder_queue'))
      idle = busy === 0 ? idle + 1 : 0
      await new Promise((resolve) => setTimeout(resolve, 200))
    }
  }
  while ((await read('sluice_workers')) < processes) await new Promise((resolve) => setTimeout(resolve, 200))
  return { processes, sluice, cookies, settled, [Symbol.asyncDispose]: () => sluice[Symbol.asyncDispose]() }
}

/** The same JPEG as another file: with a comment of its own. */
export function asAnother(jpeg: Buffer, seed: string): Buffer {
  const comment = createHash('sha256').update(seed).digest()
  const segment = Buffer.concat([Buffer.from([0xff, 0xfe, 0, comment.length + 2]), comment])
  return Buffer.concat([jpeg.subarray(0, 2), segment, jpeg.subarray(2)])
}
