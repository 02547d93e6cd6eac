// npm run demo:kill [-- --rounds 30 --postgres]: kills a server under load repeatedly, and checks whether anything is lost.
import { createHash, randomInt } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { loadConfig } from '#server/config.ts'
import { openDatabase } from '#server/database/database.ts'
import type { UploadAnswer } from '#server/images/uploading/upload-answer.ts'
import { signedIn } from '../accounts/signed-in.ts'
import { landscape } from '../images/landscape.ts'
import { animation, picture } from '../images/pictures.ts'
import { startPostgresServer } from '../servers/postgres-server.ts'
import { checkData } from '../sluice/check-data.ts'
import { type SluiceServer, startSluiceServer } from '../sluice/sluice-server.ts'

const WORKERS = 8
const OWNERS = 4

const { values } = parseArgs({
  options: { rounds: { type: 'string', default: '10' }, postgres: { type: 'boolean', default: false } },
})
const counts = { kills: 0, uploads: 0, purges: 0, reads: 0, refused: 0, interrupted: 0, lost: 0 }

/** An owner's image of a file: present, in the trash, deleted permanently, or requested without a response. */
interface Entry {
  state: 'there' | 'trash' | 'gone' | 'unsure'
  isBusy: boolean
  image: UploadAnswer | null
  readonly cookie: string
  readonly bytes: Buffer
}

await using ended = new AsyncDisposableStack()
const dataDir = await mkdtemp(join(tmpdir(), 'sluice-demo-kill-'))
ended.defer(() => rm(dataDir, { recursive: true, force: true }))
const postgres = values.postgres ? ended.use(await startPostgresServer()) : null
const env = {
  SLUICE_SECRET: 'a secret of the demonstration, 32 or more',
  SLUICE_LOG: 'error',
  ...(postgres && { DATABASE_URL: await postgres.createDatabase() }),
}
const entries = await makeEntries()
for (let round = 0; round < Number(values.rounds); round += 1) {
  const server = await startSluiceServer({ dataDir, env })
  await readBack(server)
  const work = Array.from({ length: WORKERS }, () => workUntilKilled(server))
  await untilDone(randomInt(1, 40))
  await wait(randomInt(300))
  await server.kill()
  counts.kills += 1
  await Promise.all(work)
  console.error(`round ${round + 1}:`, JSON.stringify(counts))
}
{
  await using last = await startSluiceServer({ dataDir, env })
  await readBack(last)
}
const { output, isLossless: isStored } = await checkData({ ...env, SLUICE_DATA: dataDir })
console.log(output)
console.table(counts)
const isLossless = counts.lost === 0 && isStored
console.log(isLossless ? 'Nothing was lost.' : 'Something was lost.')
process.exitCode = isLossless ? 0 : 1

/** Waits for this many further responses, but at most half a minute. */
async function untilDone(calls: number): Promise<void> {
  const done = () => counts.uploads + counts.purges
  const goal = done() + calls
  for (let look = 0; look < 3_000 && done() < goal; look += 1) await wait(10)
}

async function makeEntries(): Promise<Entry[]> {
  const config = await loadConfig({ ...env, SLUICE_DATA: dataDir })
  const database = await openDatabase(config)
  const cookies: string[] = []
  for (let owner = 0; owner < OWNERS; owner += 1) {
    cookies.push((await signedIn(database.db, config, { role: 'superadmin' })).cookie)
  }
  await database.close()
  const files = await Promise.all([
    ...Array.from({ length: 8 }, (_, seed) => landscape(seed, { width: 900, height: 600 })),
    ...(['png', 'gif', 'webp'] as const).flatMap((format) =>
      [1, 2].map((seed) => picture({ format, width: 480, height: 320, seed })),
    ),
    animation('gif'),
    animation('webp'),
  ])
  return cookies.flatMap((cookie) =>
    files.map((bytes): Entry => ({ state: 'gone', isBusy: false, image: null, cookie, bytes })),
  )
}

async function workUntilKilled(server: SluiceServer): Promise<void> {
  for (;;) {
    const entry = entries[randomInt(entries.length)]
    if (!entry || entry.isBusy) {
      await wait(1)
      continue
    }
    entry.isBusy = true
    try {
      await act(server, entry)
    } catch {
      // The server was killed; the request may have taken effect.
      counts.interrupted += 1
      return
    } finally {
      entry.isBusy = false
    }
  }
}

/** Moves an image to its next state: uploaded, in the trash, purged. Or uploads an existing one again. */
async function act(server: SluiceServer, entry: Entry): Promise<void> {
  const { state, image } = entry
  if (image && state === 'there' && randomInt(2) === 0) {
    entry.state = (await mutate(server, entry, 'image.delete', image.id)) ? 'trash' : 'there'
  } else if (image && state === 'trash' && randomInt(3) > 0) {
    entry.state = 'unsure'
    entry.state = (await mutate(server, entry, 'image.purge', image.id)) ? 'gone' : 'unsure'
    counts.purges += 1
  } else {
    await upload(server, entry)
  }
}

async function upload({ origin }: SluiceServer, entry: Entry): Promise<void> {
  if (entry.state === 'gone') entry.state = 'unsure'
  const answer = await fetch(`${origin}/api/trpc/image.upload`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/octet-stream', Cookie: entry.cookie },
    body: new Uint8Array(entry.bytes),
  })
  const body: { result?: { data: UploadAnswer } } = await answer.json()
  if (!body.result) {
    counts.refused += 1
    return
  }
  entry.image = body.result.data
  entry.state = 'there'
  counts.uploads += 1
}

async function mutate({ origin }: SluiceServer, { cookie }: Entry, path: string, id: string): Promise<boolean> {
  const answer = await fetch(`${origin}/api/trpc/${path}`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', Cookie: cookie },
    body: JSON.stringify({ id }),
  })
  await answer.arrayBuffer()
  return answer.ok
}

/** Reads every acknowledged image and compares its bytes. No purged image may be back. */
async function readBack({ origin, logs }: SluiceServer): Promise<void> {
  for (const { state, image, cookie } of entries) {
    if (!image || state === 'unsure') continue
    const answer = await fetch(`${origin}${new URL(image.url).pathname}`, { headers: { Cookie: cookie } })
    const bytes = Buffer.from(await answer.arrayBuffer())
    const isThere = answer.status === 200 && createHash('sha256').update(bytes).digest('hex') === image.sha256
    const isGone = answer.status === 404
    counts.reads += 1
    if (state === 'gone' ? isGone : isThere) continue
    counts.lost += 1
    console.error(`${image.id} was ${state} and is ${answer.status}, ${bytes.length} bytes`, logs.slice(-5))
  }
}
