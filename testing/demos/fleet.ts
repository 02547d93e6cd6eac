// npm run demo:fleet [-- --minutes 60 --seed 1 --write --logs file]: three processes behind nginx under mixed work, while processes
// and stores fail one after the other. Exits with 1 if a claim of docs/reliability.md is broken. `--write` writes the run to that
// page, `--logs` the processes' logs to a file.
import { writeFile } from 'node:fs/promises'
import { setTimeout as wait } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { ask } from '../http/ask.ts'
import { seededRandom } from '../random.ts'
import { checkData } from '../sluice/check-data.ts'
import { makeEntries } from './fleet/entries.ts'
import { probeLimits } from './fleet/limit-probe.ts'
import { type MemoryUse, watchMemory } from './fleet/memory.ts'
import { makeOwners } from './fleet/owners.ts'
import { describeRun, type FleetRun, writeRun } from './fleet/report.ts'
import { checkKept, type Scene } from './fleet/scene.ts'
import { runSchedule } from './fleet/schedule.ts'
import { startSite } from './fleet/site.ts'
import { type Counted, compareSpending } from './fleet/spending.ts'
import { claims, Tally } from './fleet/tally.ts'
import { visit } from './fleet/visits.ts'

const VISITORS = 6
const PAUSE_MS = 100

const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '60' },
    seed: { type: 'string', default: String(Date.now() % 1_000_000) },
    write: { type: 'boolean', default: false },
    logs: { type: 'string' },
  },
})
const [minutes, seed] = [Number(values.minutes), Number(values.seed)]
if (!(minutes > 0) || !Number.isSafeInteger(seed)) throw new Error('--minutes and --seed are numbers')
console.log(`${minutes} minutes, --seed ${seed}`)

await using ended = new AsyncDisposableStack()
const starting = startSite()
// Otherwise folders and a mounted disk would be left: what has begun to start is started, and ended.
for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.once(signal, () => void starting.then(() => ended.disposeAsync()).finally(() => process.exit(1)))
const site = ended.use(await starting)
const database = await site.openDatabase()
const owners = await makeOwners(database.db)
await database.close()
const tally = new Tally()
let addresses = 0
const scene: Scene = {
  site: site.address,
  ...{ owners, tally, random: seededRandom(seed + 1), entries: await makeEntries(owners) },
  address: () => {
    addresses += 1
    return `10.${(addresses >> 16) & 255}.${(addresses >> 8) & 255}.${addresses & 255}`
  },
}

const over = new AbortController()
ended.defer(() => over.abort())
const schedule = runSchedule(site, seededRandom(seed), over.signal)
const memory = watchMemory(() => site.members[2].pid)
const work = [
  ...Array.from({ length: VISITORS }, async () => {
    for (; !over.signal.aborted; await wait(scene.random.below(2 * PAUSE_MS))) await visit(scene)
  }),
  probeLimits(site, schedule, tally, over.signal),
]
// What fails here is a fault of the demonstration, or a process that does not come back.
await Promise.race([wait(minutes * 60_000), schedule.ended, Promise.all(work)])
over.abort()
await Promise.all([schedule.ended, ...work])
const use = checkMemory()
await readBack()
for (const member of site.members) await member.stop()
tally.check(claims.crashes, crashes() === 0, `${crashes()} ended`)
const spending = await checkSpending()
const stored = await checkData({ ...site.directEnv(), SLUICE_DATA: site.members[2].dataDir })
tally.check(claims.stored, stored.isLossless, stored.output)

const run: FleetRun = { minutes, seed, tally, faults: schedule.counts, memory: use, spending, stored: stored.output }
console.log(describeRun(run))
if (values.write) writeRun(run)
if (values.logs) await writeFile(values.logs, site.members.flatMap(({ logs }) => logs).join('\n'))
const isHeld = [...tally.claims.values()].every(({ broken }) => broken.length === 0)
console.log(isHeld ? 'Every claim holds.' : `A claim is broken: --seed ${seed}`)
process.exitCode = isHeld ? 0 : 1

function crashes(): number {
  return site.members.reduce((sum, member) => sum + member.crashes, 0)
}

function checkMemory(): MemoryUse | null {
  const use = memory()
  if (use) tally.check(claims.memory, use.isFlat, `${use.early} bytes, then ${use.late}`)
  return use
}

/** Reads everything acknowledged from each process. */
async function readBack(): Promise<void> {
  for (const entry of scene.entries) {
    if (!entry.image || entry.state === 'unsure') continue
    const headers = { cookie: entry.owner.cookie }
    const path = new URL(entry.image.url).pathname
    for (const { port } of site.members) {
      const read = () => ask(`http://127.0.0.1:${port}`, path, scene.address(), { headers })
      let answer = await read()
      // All of an owner's images, by each process, are more than a minute allows.
      for (; answer.outcome === 'limited'; answer = await read())
        await wait(1_000 * Number(answer.headers.get('retry-after')))
      tally.add('read back by each process', answer.outcome)
      tally.check(claims.answers, answer.outcome === 'done' || entry.state === 'gone', `${path}: ${answer.status}`)
      checkKept(tally, entry, answer)
    }
  }
}

async function checkSpending(): Promise<readonly Counted[]> {
  const opened = await site.openDatabase()
  const found = await compareSpending(opened.db, site.bucket)
  await opened.close()
  for (const { name, counted, seen } of found)
    tally.check(claims.charged, counted >= seen, `${name}: ${counted} counted, ${seen} seen`)
  return found
}
