import { pino } from 'pino'
import { describe, expect, it, vi } from 'vitest'
import { toSentence } from '#server/errors/refuse.ts'
import type { Fleet } from '#server/limits/fleet/fleet.ts'
import { createLimiter } from '#server/limits/limiter.ts'
import { compileRuleSets } from '#server/limits/rules/compile.ts'
import { Calls } from '../calls.ts'
import { createCatalogue } from '../catalogue.ts'
import { OverrideBook } from './override-book.ts'
import type { StoredOverride } from './override-rows.ts'

const declared = [{ name: 'few', by: 'ip', rules: [{ limit: 2, window: '1h' }] }] as const
const sets = compileRuleSets('a', declared)
const catalogue = createCatalogue([{ path: 'a', kind: 'query', declared, compiled: sets, isAnonymous: false }])

const stored = (limit: number, more: Partial<StoredOverride> = {}): StoredOverride => ({
  ruleSet: 'few',
  target: { kind: 'all' },
  terms: { rules: [{ limit, window: '1h' }] },
  note: null,
  changedAt: new Date(0),
  changedBy: 'Sue',
  ...more,
})

interface Rows {
  rows: readonly StoredOverride[] | null
}

function requireRows({ rows }: Rows): readonly StoredOverride[] {
  if (!rows) throw new Error('no database')
  return rows
}

/** A book over `rows`, which fail to load while null; records what it logs, announces and waits for. */
function scene(first: readonly StoredOverride[], { isOn = true, isShared = false } = {}) {
  const announced: string[] = []
  const lines: unknown[] = []
  const pauses: { readonly ms: number; end(): void }[] = []
  const heard = { change: (_message: string) => {}, gap: () => {} }
  const fleet: Fleet = {
    size: 2,
    tell: (topic) => void announced.push(topic),
    hear: (topic, listener) => {
      if (topic === 'overrides') heard.change = listener
    },
    onGap: (listener) => {
      heard.gap = listener
    },
    show: () => {},
    snapshots: () => [],
    close: async () => {},
  }
  const state: Rows & { reads: number } = { rows: first, reads: 0 }
  const limiter = createLimiter({ fleet })
  const calls = new Calls()
  const book = new OverrideBook({
    calls,
    limiter,
    catalogue,
    largestBytes: () => 1,
    isOn,
    version: isShared ? async () => JSON.stringify(requireRows(state)) : null,
    log: pino({ base: null }, { write: (line) => void lines.push(JSON.parse(line)) }),
    read: async () => {
      state.reads += 1
      return requireRows(state)
    },
    pause: (ms) => new Promise((resolve) => void pauses.push({ ms, end: () => resolve(undefined) })),
  })
  const caller = { address: '192.0.2.1', userId: null, shared: false }
  const limit = async () => (await limiter.peek([{ sets, caller }])).rules[0]?.limit
  return { book, state, announced, lines, pauses, heard, limit, limiter, caller, calls }
}

/** Completes all pending work that does not wait for external results. */
const settled = () => new Promise((resolve) => setImmediate(resolve))

describe('the override book', () => {
  it('applies overrides when opened, and follows changes by other processes and gaps', async () => {
    const { book, state, heard, limit, announced } = scene([stored(5)])
    expect(await limit()).toBe(2)
    await book.open()
    expect(await limit()).toBe(5)
    state.rows = [stored(6)]
    heard.change('')
    await settled()
    expect(await limit()).toBe(6)
    state.rows = []
    heard.gap()
    await settled()
    expect(await limit()).toBe(2)
    expect(announced).toEqual([])
  })

  it('applies its own change at once, announces it, and keeps what was used', async () => {
    const { book, state, announced, limiter, caller } = scene([])
    await book.open()
    await limiter.take(sets, caller)
    state.rows = [stored(10)]
    await book.announce()
    expect(announced).toEqual(['overrides'])
    const { reads } = state
    expect((await limiter.take(sets, caller)).rules[0]).toMatchObject({ limit: 10, remaining: 8 })
    // No call reads anything for overrides.
    expect(state.reads).toBe(reads)
  })

  it('applies none while they are off, and reports that for each', async () => {
    const { book, limit } = scene([stored(5)], { isOn: false })
    await book.open()
    expect(await limit()).toBe(2)
    expect((await book.load()).map(({ problem }) => problem)).toEqual([{ code: 'overrides-off', params: {} }])
    const { ruleSet, target } = stored(5)
    expect(book.compileOverride({ ruleSet, target, terms: {} }).problem?.code).toBe('overrides-off')
  })

  it('reads once for many changes, and never misses one made during a read', async () => {
    const { book, state, heard, limit } = scene([])
    await book.open()
    state.rows = [stored(7)]
    for (let i = 0; i < 100; i += 1) heard.change('')
    state.rows = [stored(8)]
    const reads = state.reads
    heard.change('')
    await settled()
    expect(await limit()).toBe(8)
    expect(state.reads - reads).toBeLessThanOrEqual(2)
  })

  it('updates the limiter only when something changed', async () => {
    const { book, state, limiter } = scene([stored(5)])
    const announced = vi.spyOn(limiter, 'override')
    await book.open()
    await book.load()
    state.rows = [stored(5, { note: 'for a while' })]
    await book.load()
    expect(announced).toHaveBeenCalledTimes(1)
    state.rows = [stored(6)]
    await book.load()
    expect(announced).toHaveBeenCalledTimes(2)
    state.rows = []
    await book.load()
    expect(announced).toHaveBeenLastCalledWith([], [], [])
  })

  it('keeps the old overrides while the database fails, and retries with growing delays', async () => {
    const { book, state, heard, limit, pauses, lines } = scene([stored(5)])
    await book.open()
    state.rows = null
    heard.change('')
    for (let i = 0; i < 9; i += 1) {
      await settled()
      expect(await limit()).toBe(5)
      pauses[i]?.end()
    }
    await settled()
    expect(pauses.map(({ ms }) => ms)).toEqual([100, 200, 400, 800, 1_600, 3_200, 6_400, 10_000, 10_000, 10_000])
    expect(lines[0]).toMatchObject({ level: 40, retryMs: 100, msg: 'limit overrides could not be read' })
    state.rows = [stored(9)]
    pauses.at(-1)?.end()
    await settled()
    expect(await limit()).toBe(9)
    expect(pauses.length).toBe(10)
  })

  it('fails no change that was already made, and applies it when the database recovers', async () => {
    const { book, state, limit, pauses, announced } = scene([])
    await book.open()
    state.rows = null
    await book.announce()
    expect(announced).toEqual(['overrides'])
    state.rows = [stored(3)]
    pauses[0]?.end()
    await settled()
    expect(await limit()).toBe(3)
  })

  it('stops reading once closed', async () => {
    const { book, state, heard, pauses } = scene([])
    await book.open()
    state.rows = null
    heard.change('')
    await settled()
    const { reads } = state
    book.close()
    pauses[0]?.end()
    await settled()
    expect(state.reads).toBe(reads)
  })

  it('polls for changes where only the database reports them', async () => {
    const { book, state, limit, pauses, lines } = scene([stored(5)], { isShared: true })
    await book.open()
    const pass = async () => {
      pauses.at(-1)?.end()
      await settled()
    }
    await pass()
    expect(state.reads).toBe(1)
    state.rows = [stored(6)]
    await pass()
    expect([state.reads, await limit()]).toEqual([2, 6])
    state.rows = null
    for (let i = 0; i < 5; i += 1) await pass()
    expect(pauses.map(({ ms }) => ms)).toEqual([750, 750, 750, 1_500, 3_000, 6_000, 10_000, 10_000])
    expect(lines[0]).toMatchObject({ level: 40, retryMs: 1_500, msg: 'limit overrides could not be read' })
    state.rows = [stored(7)]
    await pass()
    expect([state.reads, await limit(), pauses.at(-1)?.ms]).toEqual([3, 7, 750])
    book.close()
    await pass()
    expect(pauses.length).toBe(9)
  })

  it('polls less often while idle, and at once on the next call', async () => {
    const { book, state, limit, pauses, calls } = scene([stored(5)], { isShared: true })
    await book.open()
    const pass = async (times: number) => {
      for (let time = 0; time < times; time += 1) {
        pauses.at(-1)?.end()
        await settled()
      }
    }
    await pass(79)
    calls.note()
    await pass(80)
    expect(new Set(pauses.map(({ ms }) => ms))).toEqual(new Set([750]))
    await pass(1)
    expect(pauses.at(-1)?.ms).toBe(5_000)
    state.rows = [stored(6)]
    await pass(1)
    expect([await limit(), pauses.at(-1)?.ms]).toEqual([6, 5_000])
    await pass(100)
    expect(calls.waiting).toBe(1)
    state.rows = [stored(7)]
    calls.note()
    await settled()
    expect([await limit(), pauses.at(-1)?.ms]).toEqual([7, 750])
    book.close()
  })

  it('does not poll where processes announce changes', async () => {
    const { book, pauses } = scene([stored(5)])
    await book.open()
    await settled()
    expect(pauses).toEqual([])
  })

  it('skips overrides that the code no longer allows, and logs each once', async () => {
    const rows = [
      stored(4),
      stored(1, { ruleSet: 'gone' }),
      stored(1, { target: { kind: 'role', role: 'guest' }, terms: { wait: '3h' } }),
      stored(1, { target: { kind: 'role', role: 'user' }, terms: null }),
    ]
    const { book, limit, lines } = scene(rows)
    await book.open()
    const held = await book.load()
    expect(await limit()).toBe(4)
    const problems = [
      'There is no rule set gone.',
      'A wait must be from 1ms to 1h, and only a rule set in the mode “enforce” can have one.',
      'This version of Sluice does not support the terms of this override.',
    ]
    expect(held.map(({ problem }) => problem && toSentence(problem))).toEqual([null, ...problems])
    expect(held.map(({ sets }) => sets?.length ?? null)).toEqual([1, null, null, null])
    expect(lines).toEqual(
      problems.map((problem) => expect.objectContaining({ level: 40, problem, msg: 'limit override skipped' })),
    )
  })

  it('does not open while the database fails', async () => {
    const { book, state } = scene([])
    state.rows = null
    await expect(book.open()).rejects.toThrow('no database')
  })
})
