// npm run demo:idle [-- --connections 5000 --streams 500]: how much slower others are, and how much memory a server takes, while many
// connections are open and idle, and many event streams are watched.
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { Agent, get } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { openDatabase } from '#server/database/database.ts'
import { fitConnections, readFileLimit } from '#server/http/open-files.ts'
import { signedIn } from '../accounts/signed-in.ts'
import { startSluiceServer } from '../sluice/sluice-server.ts'

const SECRET = 'a secret of the demonstration, 32 or more'
const METRICS = 'token-of-the-demonstration'
/** Concurrent streams that one account may have (server/limit-admin/limits.ts). */
const STREAMS_EACH = 4
/** Long enough for several figures of each stream, which come once a second and all at once. */
const MEASURED_MS = 6_000
const PAUSE_MS = 2
/** Connections opened at a time. */
const AT_ONCE = 50

const { values } = parseArgs({
  options: { connections: { type: 'string', default: '5000' }, streams: { type: 'string', default: '500' } },
})
const wanted = { connections: Number(values.connections), streams: Number(values.streams) }
const files = readFileLimit()
if (wanted.connections + wanted.streams > fitConnections(files)) {
  console.error(`A process may open ${files} files here. Raise that (ulimit -n), or ask for fewer connections.`)
  process.exit(1)
}

await using ended = new AsyncDisposableStack()
const dataDir = await mkdtemp(join(tmpdir(), 'sluice-demo-idle-'))
ended.defer(() => rm(dataDir, { recursive: true, force: true }))
const { db, close } = await openDatabase({ dataDir, databaseUrl: null })
const admins = await Array.fromAsync({ length: Math.ceil(wanted.streams / STREAMS_EACH) }, () =>
  signedIn(db, { origin: 'http://127.0.0.1', secret: SECRET }, { role: 'admin' }),
)
await close()
const env = { SLUICE_SECRET: SECRET, SLUICE_LOG: 'error', SLUICE_METRICS_TOKEN: METRICS }
const { origin } = ended.use(await startSluiceServer({ dataDir, env, isMeasured: true }))

await measure()
console.log('| open | p50, ms | p95, ms | lag p99, ms | lag at most, ms | memory, MiB |\n|---|---|---|---|---|---|')
await report('nothing else')
await inTurns(wanted.connections, async () => {
  // Its own agent, so that no connection is used again.
  const agent = new Agent({ keepAlive: true })
  ended.defer(() => agent.destroy())
  const request = get(`${origin}/healthz`, { agent })
  const [answer] = await once(request, 'response')
  await once(answer.resume(), 'end')
})
await report(`${wanted.connections} idle connections`)
const streams = new AbortController()
ended.defer(() => streams.abort())
await inTurns(wanted.streams, async (index) => {
  const headers = { cookie: admins[index % admins.length]?.cookie ?? '', accept: 'text/event-stream' }
  const request = get(`${origin}/api/trpc/limits.live`, { headers, agent: false, signal: streams.signal })
  request.on('error', () => undefined)
  const [answer] = await once(request, 'response')
  if (answer.statusCode !== 200) throw new Error(`a stream got ${answer.statusCode}`)
  answer.on('error', () => undefined).resume()
})
await report(`and ${wanted.streams} event streams`)

async function report(open: string): Promise<void> {
  // The server's own lag begins anew with each look: a client is late too where it has as much to receive.
  await readMetrics()
  const { p50, p95 } = await measure()
  const metric = await readMetrics()
  const lag = ['p99', 'max'].map((name) => metric(`nodejs_eventloop_lag_${name}_seconds`) * 1_000)
  const times = [p50, p95, ...lag].map((ms) => ms.toFixed(1)).join(' | ')
  console.log(`| ${open} | ${times} | ${Math.round(metric('process_resident_memory_bytes') / 1024 ** 2)} |`)
}

/** Asks for the health again and again, one request after the other: it shows what every request waits for. */
async function measure() {
  const agent = new Agent({ keepAlive: true })
  const times: number[] = []
  for (const until = performance.now() + MEASURED_MS; performance.now() < until; await wait(PAUSE_MS)) {
    const begun = performance.now()
    const [answer] = await once(get(`${origin}/healthz`, { agent }), 'response')
    await once(answer.resume(), 'end')
    times.push(performance.now() - begun)
  }
  agent.destroy()
  const sorted = times.toSorted((a, b) => a - b)
  const at = (share: number) => sorted[Math.floor(share * sorted.length)] ?? 0
  return { p50: at(0.5), p95: at(0.95) }
}

async function readMetrics(): Promise<(name: string) => number> {
  const answer = await fetch(`${origin}/metrics`, { headers: { authorization: `Bearer ${METRICS}` } })
  const text = await answer.text()
  return (name) => Number(new RegExp(`^${name} (\\S+)$`, 'm').exec(text)?.[1])
}

async function inTurns(count: number, open: (index: number) => Promise<void>): Promise<void> {
  for (let at = 0; at < count; at += AT_ONCE)
    await Promise.all(Array.from({ length: Math.min(AT_ONCE, count - at) }, (_, index) => open(at + index)))
}
