/** One process and two workers on the same machine, for bytes, calls and uploads in turns: docs/benchmarks-scale.md.
 *  `npm run bench:scale`; `-- --write` writes the page, `--quick` for a rough result. */

import { Redis } from 'ioredis'
import { Client } from 'pg'
import { createPostgresDatabase } from '#testing/servers/postgres-database.ts'
import { startRedisServer } from '#testing/servers/redis-server.ts'
import { median, spreadOf } from './report/figures.ts'
import { parseOptions } from './report/options.ts'
import { publish } from './report/page.ts'
import { type Row, rate, spread, type Table } from './report/table.ts'
import { parentOf, treeSeconds } from './scale/cpu.ts'
import { type Load, loads, type Send } from './scale/loads.ts'
import { type Site, startSite } from './scale/site.ts'

/** The machine of the projection. */
const CORES = 16

const columns = ['requests/s', 'least to most', 'CPU ms in Sluice', 'PostgreSQL', 'Redis']

const options = parseOptions(process.argv.slice(2))

interface Turn {
  readonly perSecond: number
  /** CPU milliseconds a request. */
  readonly sluice: number
  readonly postgres: number
  readonly redis: number
}

await using ended = new AsyncDisposableStack()
const redisServer = ended.use(await startRedisServer())
const stores = [await storesFor(0), await storesFor(1)] as const
const pids = { postgres: await postmaster(stores[0].databaseUrl), redis: await redisPid() }
const sites = [ended.use(await startSite(1, stores[0])), ended.use(await startSite(2, stores[1]))]
const tables: Table[] = []
for (const load of loads) tables.push(await measure(load))
publish(
  { title: 'Benchmark of several processes', script: 'bench:scale', file: 'benchmarks-scale.md' },
  tables,
  options,
)
await ended.disposeAsync()
// PostgreSQL ends with the process.
process.exit()

async function storesFor(database: number) {
  return { databaseUrl: await createPostgresDatabase(), redisUrl: `${redisServer.url}/${database}` }
}

async function postmaster(url: string): Promise<number> {
  const client = new Client({ connectionString: url })
  await client.connect()
  const { rows } = await client.query('SELECT pg_backend_pid() AS pid')
  await client.end()
  return parentOf(rows[0].pid)
}

async function redisPid(): Promise<number> {
  const client = new Redis(redisServer.url)
  const info = await client.info('server')
  client.disconnect()
  return Number(/^process_id:(\d+)/m.exec(info)?.[1])
}

async function measure(load: Load): Promise<Table> {
  const contenders = await Promise.all(
    sites.map(async (site) => ({ site, send: await load.prepare(site), turns: [] as Turn[] })),
  )
  for (let round = 0; round <= options.rounds; round += 1) {
    const turn = round % 2 ? contenders : contenders.toReversed()
    for (const { site, send, turns } of turn) {
      const measured = await takeTurn(load, site, send, round)
      // The first round compiles the code.
      if (round > 0) turns.push(measured)
      console.error(load.name, site.processes, JSON.stringify(measured))
    }
  }
  const rows = contenders.map(({ site, turns }) => toRow(site, turns))
  return {
    title: load.name,
    about: aboutOf(
      load,
      contenders.map(({ turns }) => turns),
    ),
    columns,
    rows,
  }
}

async function takeTurn(load: Load, site: Site, send: Send, round: number): Promise<Turn> {
  const count = options.scaled(load.count)
  const read = () => [treeSeconds(site.sluice.pid), treeSeconds(pids.postgres), treeSeconds(pids.redis)] as const
  const before = read()
  const startedAt = performance.now()
  let at = round * count
  const end = at + count
  await Promise.all(
    Array.from({ length: load.atOnce }, async () => {
      while (at < end) {
        at += 1
        await send(at)
      }
    }),
  )
  const perSecond = (1_000 * count) / (performance.now() - startedAt)
  if (load.leavesWork) await site.settled()
  const [sluice = 0, postgres = 0, redis = 0] = read().map(
    (seconds, of) => (1_000 * (seconds - (before[of] ?? 0))) / count,
  )
  return { perSecond, sluice, postgres, redis }
}

function middle(turns: readonly Turn[], figure: keyof Turn): number {
  return median(turns.map((turn) => turn[figure]))
}

function toRow({ processes }: Site, turns: readonly Turn[]): Row {
  const perSecond = spreadOf(turns.map((turn) => turn.perSecond))
  const cpu = (['sluice', 'postgres', 'redis'] as const).map((part) => middle(turns, part).toFixed(3))
  const name = processes === 1 ? 'one process' : `${processes} workers`
  return { name, cells: [rate(perSecond.median), spread(perSecond), ...cpu], raw: turns }
}

/** What 16 cores would serve if they did nothing else, by the CPU of a request, and where the one thread of Redis ends that. */
function aboutOf({ count, atOnce }: Load, [one = [], two = []]: readonly (readonly Turn[])[]): string {
  const each = (turns: readonly Turn[]) => middle(turns, 'sluice') + middle(turns, 'postgres') + middle(turns, 'redis')
  const projected = rate((CORES * 1_000) / each(two))
  const redis = middle(two, 'redis')
  const ends = redis > 0 ? ` Redis, which has one thread, would end at ${rate(1_000 / redis)}.` : ''
  const ratio = (middle(two, 'sluice') / middle(one, 'sluice')).toFixed(2)
  return `${options.scaled(count)} requests a turn, ${atOnce} at once, ${options.rounds} rounds in which both take their turn; the client, PostgreSQL and Redis share the machine's cores. A request costs two workers ${ratio} times the CPU of one process. By the CPU of all three, ${CORES} cores of this kind would serve ${projected} a second.${ends}`
}
