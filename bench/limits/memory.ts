import { once } from 'node:events'
import { chargesOf } from '#server/limits/charges.ts'
import { refusesCall } from '#server/limits/receipt.ts'
import type { Rule } from '#server/limits/rule-set.ts'
import type { CompiledRuleSet } from '#server/limits/rules/compiled.ts'
import type { Charge } from '#server/limits/store.ts'
import { loadLimitScript } from '#server/limits/stores/redis/lua-script.ts'
import { connectRedis } from '#server/limits/stores/redis/redis-client.ts'
import { RedisStore } from '#server/limits/stores/redis/redis-store.ts'
import { findNewerRedis, machineRedis, newerRedis, type RedisProgram } from '../../testing/servers/redis-programs.ts'
import { startRedisServer } from '../../testing/servers/redis-server.ts'
import { atMost, type Target } from '../report/figures.ts'
import type { Options } from '../report/options.ts'
import type { Row, Table } from '../report/table.ts'
import { plainConnection, usedMemory } from './bare.ts'
import { setOf } from './ours.ts'
import { callerOf } from './subjects.ts'

const TITLE = 'Memory'
const SUBJECTS = 100_000
/** Concurrent calls. */
const AT_ONCE = 1_000

/** The memory of a subject in Redis after this many calls. */
interface Kept {
  readonly name: string
  readonly rule: Rule
  readonly calls: number
  /** Milliseconds between its calls, by a clock that the benchmark advances; by the server's own if absent. */
  readonly everyMs?: number
  /** The number of subjects, if all would take too long. */
  readonly part?: number
  readonly target?: Target
}

/** A rule set's name of typical length. */
const SET = 'download'
/** The minimum cost of a key. */
const FLOOR = 'a key without a value'
const DAY = { limit: 100, window: '1d' } as const

const KEPT: readonly Kept[] = [
  { name: 'fixed-window', rule: { algorithm: 'fixed-window', ...DAY }, calls: 1, target: atMost(160) },
  { name: 'token-bucket', rule: { algorithm: 'token-bucket', ...DAY }, calls: 1, target: atMost(160) },
  { name: 'leaky-bucket', rule: { algorithm: 'leaky-bucket', ...DAY }, calls: 1, target: atMost(160) },
  { name: 'sliding-window-counter', rule: { algorithm: 'sliding-window-counter', ...DAY }, calls: 1 },
  {
    name: 'sliding-window-counter, ten sub-windows',
    rule: { algorithm: 'sliding-window-counter', ...DAY },
    calls: 10,
    everyMs: 8_640_000,
    target: atMost(350),
  },
  { name: 'sliding-window-log, 1 call', rule: DAY, calls: 1 },
  { name: 'sliding-window-log, 100 calls', rule: DAY, calls: 100, part: 0.1, target: atMost(2_800) },
]

/** Bytes in Redis per subject after its calls have ended. */
export async function memory({ includes, scaled }: Options): Promise<Table> {
  const programs = [machineRedis(), ...newerRedis.slice(0, 1).map(findNewerRedis)]
  const kept = KEPT.filter(({ name }) => includes(TITLE, name))
  const rows: Row[] = []
  if (includes(TITLE, FLOOR)) {
    const subjects = scaled(SUBJECTS)
    const bytes: number[] = []
    for (const program of programs) bytes.push(await bytesOfKey(program, subjects))
    rows.push(rowOf(FLOOR, subjects, bytes))
  }
  for (const each of kept) {
    const subjects = scaled(SUBJECTS * (each.part ?? 1))
    const bytes: number[] = []
    for (const program of programs) bytes.push(await bytesOfSubject(program, each, subjects))
    rows.push(rowOf(each.name, subjects, bytes, each.target))
  }
  const key = keyOf(setOf([DAY], SET), 1)
  return {
    title: TITLE,
    about: `The difference of used_memory over all subjects, for each of them; users by their id, with keys such as \`${key}\`, of ${key.length} letters, under one rule of 100 a day. The first row is such a key that expires and has no value of its own (a small number, which Redis shares): none can be below it. Ten sub-windows are ten calls, each in its own. The log with 100 calls has a tenth of the subjects, for time.`,
    columns: ['subjects', ...programs.map(({ name }) => name)],
    rows,
  }
}

function rowOf(name: string, subjects: number, bytes: readonly number[], target?: Target): Row {
  return {
    name,
    cells: [subjects.toLocaleString('en'), ...bytes.map((figure) => figure.toFixed(0))],
    goals: bytes.flatMap((figure) => (target ? [{ target, figure }] : [])),
    raw: { subjects, bytes },
  }
}

/** Bytes of the key and its expiry, without its value. */
async function bytesOfKey(program: RedisProgram, subjects: number): Promise<number> {
  await using redis = await startRedisServer([], program)
  using admin = await plainConnection(redis.url)
  const sets = setOf([DAY], SET)
  const before = await usedMemory(admin)
  for (let first = 0; first < subjects; first += AT_ONCE) {
    const pipeline = admin.pipeline()
    for (let subject = first; subject < Math.min(subjects, first + AT_ONCE); subject += 1)
      pipeline.set(keyOf(sets, subject), 1, 'PX', 86_400_000)
    await pipeline.exec()
  }
  const bytes = ((await usedMemory(admin)) - before) / subjects
  if ((await admin.dbsize()) !== subjects) throw new Error(`${FLOOR}: not ${subjects} keys`)
  return bytes
}

async function bytesOfSubject(program: RedisProgram, kept: Kept, subjects: number): Promise<number> {
  await using redis = await startRedisServer([], program)
  using admin = await plainConnection(redis.url)
  const client = connectRedis(redis.url)
  await once(client, 'ready')
  const sets = setOf([kept.rule], SET)
  const begin = Date.now()
  const stores = Array.from({ length: kept.calls }, (_, call) => {
    const clock = kept.everyMs === undefined ? undefined : `return ${begin + call * kept.everyMs}`
    return new RedisStore({ client, script: loadLimitScript(clock), deadlineMs: 60_000 })
  })
  // Scripts and connections take memory before the subjects do.
  for (const store of stores) await callOf(store, sets, [subjects])
  await admin.flushall('SYNC')
  const before = await usedMemory(admin)
  for (const store of stores) {
    for (let first = 0; first < subjects; first += AT_ONCE) {
      const length = Math.min(AT_ONCE, subjects - first)
      await callOf(
        store,
        sets,
        Array.from({ length }, (_, i) => first + i),
      )
    }
  }
  const bytes = ((await usedMemory(admin)) - before) / subjects
  const keys = await admin.dbsize()
  if (keys !== subjects) throw new Error(`${kept.name}: ${keys} keys of ${subjects} subjects`)
  client.disconnect()
  return bytes
}

/** Makes one call of each subject. All must be allowed. */
async function callOf(store: RedisStore, sets: readonly CompiledRuleSet[], subjects: readonly number[]): Promise<void> {
  const receipts = await Promise.all(
    subjects.map((subject) => store.apply({ type: 'take', charges: chargesAt(sets, subject) })),
  )
  if (receipts.some(refusesCall)) throw new Error('a call was refused')
}

function chargesAt(sets: readonly CompiledRuleSet[], subject: number): readonly Charge[] {
  return chargesOf([{ sets, caller: callerOf(subject) }], { now: 0, aheadMs: 0, lease: () => '' })
}

function keyOf(sets: readonly CompiledRuleSet[], subject: number): string {
  return chargesAt(sets, subject)[0]?.key ?? ''
}
