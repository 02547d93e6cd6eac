import fc from 'fast-check'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Database } from '#server/database/database.ts'
import { BudgetSpent } from '#server/storage/meter.ts'
import { BudgetScene, type MeterMember } from '#testing/budgets/budget-scene.ts'
import { openEmbeddedDatabase } from '#testing/sluice/embedded-database.ts'
import type { Kind } from './lease.ts'

let database: Database
let scene: BudgetScene
beforeAll(async () => {
  database = await openEmbeddedDatabase()
  scene = new BudgetScene(database.db)
})
afterAll(() => database.close())

const PROCESSES = 3
const process = fc.nat({ max: PROCESSES - 1 })

const step = fc.oneof(
  fc.record({
    type: fc.constant('request' as const),
    process,
    kind: fc.constantFrom('reads' as const, 'writes' as const, 'deletes' as const),
    times: fc.integer({ min: 1, max: 60 }),
  }),
  fc.record({
    type: fc.constant('move' as const),
    process,
    direction: fc.constantFrom('in' as const, 'out' as const),
    room: fc.integer({ min: 0, max: 12_000_000 }),
    /** Eighths of the reservation that are moved. */
    moved: fc.nat({ max: 8 }),
    /** Time that passes in between. */
    ms: fc.constantFrom(0, 0, 13 * 3_600_000),
  }),
  fc.record({
    type: fc.constant('pass' as const),
    ms: fc.constantFrom(1_000, 30_000, 7 * 3_600_000, 5 * 86_400_000),
  }),
  fc.record({ type: fc.constant('kill' as const), process }),
)
type Step = typeof step extends fc.Arbitrary<infer Value> ? Value : never

interface Limits {
  readonly requests: number
  readonly bytes: number
  readonly monthReads: number
}

const limits: fc.Arbitrary<Limits> = fc.record({
  requests: fc.integer({ min: 0, max: 400 }),
  bytes: fc.integer({ min: 0, max: 60_000_000 }),
  monthReads: fc.integer({ min: 0, max: 400 }),
})

type Counts = Record<Kind, number>
const kinds = ['writes', 'reads', 'deletes', 'bytesIn', 'bytesOut'] as const

/** Runs the steps and records by day what was really used. */
class History {
  readonly #happened = new Map<string, Counts>()
  readonly #limits: Limits
  readonly #fleet: MeterMember[] = Array.from({ length: PROCESSES }, () => scene.member())
  kills = 0

  constructor(within: Limits) {
    this.#limits = within
  }

  async take(step: Step): Promise<void> {
    switch (step.type) {
      case 'pass':
        return this.#pass(step.ms)
      case 'kill':
        this.kills += 1
        this.#fleet[step.process] = scene.member()
        return
      case 'request':
        for (let time = 0; time < step.times; time += 1) {
          const passed = await this.#bound(step.kind, 1, this.#meter(step.process).request(step.kind))
          if (passed === null) return
          this.#note(today(), step.kind, 1)
        }
        return
      case 'move': {
        const kind = step.direction === 'in' ? 'bytesIn' : 'bytesOut'
        const day = today()
        const room = await this.#bound(kind, step.room, this.#meter(step.process).reserve(step.direction, step.room))
        this.#pass(step.ms)
        const bytes = Math.floor((step.room * step.moved) / 8)
        room?.moved(bytes)
        room?.end()
        if (room) this.#note(day, kind, bytes)
      }
    }
  }

  async close(): Promise<void> {
    for (const { meter } of this.#fleet) await meter.close()
    for (const { logged } of this.#fleet) expect(logged).toEqual([])
  }

  /** Only the leases of killed processes may be counted beyond what was used. */
  async expectCounted(): Promise<void> {
    const rows = await scene.db.spending.findMany()
    const days = rows.filter(({ period }) => period === 'day').map(({ start }) => start.toISOString().slice(0, 10))
    expect(days).toEqual(expect.arrayContaining([...this.#happened.keys()]))
    const monthly = new Map<string, Counts>()
    for (const row of rows) {
      const day = row.start.toISOString().slice(0, 10)
      if (row.period === 'month') continue
      for (const kind of kinds) {
        const happened = this.#happened.get(day)?.[kind] ?? 0
        const portion = kind.startsWith('bytes') ? 8 * 1024 * 1024 + 12_000_000 : 100
        expect(Number(row[kind])).toBeGreaterThanOrEqual(happened)
        expect(Number(row[kind])).toBeLessThanOrEqual(happened + this.kills * portion)
        const month = monthly.get(day.slice(0, 7)) ?? noCounts()
        month[kind] += Number(row[kind])
        monthly.set(day.slice(0, 7), month)
      }
    }
    const months = rows.filter(({ period }) => period === 'month')
    expect(months.map((row) => Object.fromEntries(kinds.map((kind) => [kind, Number(row[kind])])))).toEqual(
      months.map(({ start }) => monthly.get(start.toISOString().slice(0, 7))),
    )
  }

  async expectWithin(): Promise<void> {
    const [day, month] = [await scene.spent('day'), await scene.spent('month')]
    expect(day.reads + day.writes).toBeLessThanOrEqual(this.#limits.requests)
    expect(day.bytesIn + day.bytesOut).toBeLessThanOrEqual(this.#limits.bytes)
    expect(month.reads).toBeLessThanOrEqual(this.#limits.monthReads)
  }

  /** Returns null if refused, after checking that there was no room. */
  async #bound<T>(kind: Kind, amount: number, asked: Promise<T>): Promise<T | null> {
    try {
      return await asked
    } catch (error) {
      if (!(error instanceof BudgetSpent)) throw error
      expect(kind).not.toBe('deletes')
      const [day, month] = [await scene.spent('day'), await scene.spent('month')]
      const isFull =
        kind === 'reads' || kind === 'writes'
          ? day.reads + day.writes + amount > this.#limits.requests ||
            (kind === 'reads' && month.reads + amount > this.#limits.monthReads)
          : day.bytesIn + day.bytesOut + amount > this.#limits.bytes
      expect(isFull).toBe(true)
      // A refusal is remembered for a second.
      this.#pass(1_000)
      return null
    }
  }

  #meter(process: number) {
    return this.#fleet[process]?.meter ?? expect.unreachable()
  }

  #pass(ms: number): void {
    scene.pass(ms)
    for (const { meter } of this.#fleet) meter.tidy()
  }

  #note(day: string, kind: Kind, amount: number): void {
    // An unused day needs no row.
    if (amount === 0) return
    const counts = this.#happened.get(day) ?? noCounts()
    counts[kind] += amount
    this.#happened.set(day, counts)
  }
}

const noCounts = (): Counts => ({ writes: 0, reads: 0, deletes: 0, bytesIn: 0, bytesOut: 0 })
const today = () => scene.time.toISOString().slice(0, 10)

it('leases count exactly what was used, on its day and in its month, and exceed no budget', async () => {
  await fc.assert(
    fc.asyncProperty(limits, fc.array(step, { maxLength: 20 }), async (within, steps) => {
      await scene.clear()
      await scene.budget('day', 'requests', within.requests)
      await scene.budget('day', 'bytes', within.bytes)
      await scene.budget('month', 'reads', within.monthReads)
      const history = new History(within)
      for (const step of steps) {
        await history.take(step)
        await history.expectWithin()
      }
      await history.close()
      await history.expectCounted()
    }),
    { numRuns: 30 },
  )
})
