import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import type { Metric } from '#server/metrics/exposition.ts'
import type { FromPrimary, FromWorker } from './messages.ts'
import { replacementDelay, type WorkerProcess, Workers } from './workers.ts'

/** A worker's process that does nothing by itself. */
class Idle implements WorkerProcess {
  readonly id: number
  readonly pid: number
  readonly sent: FromPrimary[] = []
  readonly signals: string[] = []
  send = (message: FromPrimary) => void this.sent.push(message)
  kill = (signal: string) => void this.signals.push(signal)
  say: (message: FromWorker) => void = () => undefined
  end: (code: number | null, signal?: string | null) => void = () => undefined

  constructor(id: number) {
    this.id = id
    this.pid = 1_000 + id
  }

  onMessage(receive: (message: FromWorker) => void): void {
    this.say = receive
  }

  onExit(ended: (code: number | null, signal: string | null) => void): void {
    this.end = (code, signal = null) => ended(code, signal)
  }

  get asked(): readonly number[] {
    return this.sent.flatMap((message) => (message.kind === 'read' ? [message.id] : []))
  }
}

function start(count: number) {
  const forked: Idle[] = []
  const log: string[] = []
  const ends: number[] = []
  const workers = new Workers({
    count,
    fork: () => {
      const idle = new Idle(forked.length + 1)
      forked.push(idle)
      return idle
    },
    log: { info: () => undefined, error: (_, message) => void log.push(message) },
    readOwn: async () => [],
    onEnd: (code) => void ends.push(code),
  })
  /** Of the first so many workers. */
  const ready = (...ids: number[]) => {
    for (const id of ids) forked[id - 1]?.say({ kind: 'ready' })
  }
  const worker = (id: number): Idle => {
    const found = forked[id - 1]
    if (!found) throw new Error(`worker ${id} was not started`)
    return found
  }
  return { forked, log, ends, workers, ready, worker }
}

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

describe('workers', () => {
  test('start after the first of them, so that it migrates the database alone', () => {
    const { forked, ready } = start(3)
    expect(forked).toHaveLength(1)
    ready(1)
    expect(forked).toHaveLength(3)
    ready(2, 3)
    expect(forked).toHaveLength(3)
  })

  test('that cannot start end the primary while no other serves', () => {
    const { ends, log, worker, forked } = start(2)
    worker(1).end(1)
    expect([ends, log, forked.length]).toEqual([[1], [], 1])
  })

  test('are replaced: at once, then later and later while they end early', () => {
    const { forked, ready, worker, log } = start(2)
    ready(1, 2)
    worker(2).end(null, 'SIGKILL')
    vi.advanceTimersByTime(0)
    expect([forked.length, log]).toEqual([3, ['a worker ended; another replaces it']])
    for (const [id, waitMs] of [
      [3, 1_000],
      [4, 2_000],
      [5, 4_000],
    ] as const) {
      worker(id).end(1)
      vi.advanceTimersByTime(waitMs - 1)
      expect(forked).toHaveLength(id)
      vi.advanceTimersByTime(1)
      expect(forked).toHaveLength(id + 1)
    }
    // One that served for a minute did not end because of its start.
    ready(6)
    vi.advanceTimersByTime(60_000)
    worker(6).end(1)
    vi.advanceTimersByTime(0)
    expect(forked).toHaveLength(7)
  })

  test.each([
    [0, 0],
    [1, 0],
    [2, 1_000],
    [7, 32_000],
    [8, 60_000],
    [1_000, 60_000],
  ])('%i that ended early are followed after %i ms', (early, ms) => {
    expect(replacementDelay(early)).toBe(ms)
  })

  test('serve the owner’s commands one at a time', () => {
    const { ready, worker } = start(2)
    const holders = () => [1, 2, 3].map((id) => worker(id).sent.filter(({ kind }) => kind === 'serve-owner').length)
    ready(1, 2)
    worker(1).end(null, 'SIGKILL')
    vi.advanceTimersByTime(0)
    ready(3)
    expect(holders()).toEqual([1, 1, 0])
    worker(2).end(null, 'SIGKILL')
    expect(holders()).toEqual([1, 1, 1])
  })

  test('that hang are killed, and none that answers', () => {
    const { ready, worker } = start(2)
    ready(1, 2)
    for (let round = 0; round < 7; round += 1) {
      vi.advanceTimersByTime(10_000)
      worker(1).say({ kind: 'pong' })
    }
    expect([worker(1).signals, worker(2).signals]).toEqual([[], ['SIGKILL']])
  })

  test('end before the primary does, which fails if one of them did', () => {
    const clean = start(2)
    clean.ready(1, 2)
    clean.workers.stop()
    expect(clean.forked.map(({ signals }) => signals)).toEqual([['SIGTERM'], ['SIGTERM']])
    clean.worker(1).end(0)
    expect(clean.ends).toEqual([])
    clean.worker(2).end(0)
    expect([clean.ends, clean.forked.length]).toEqual([[0], 2])

    const unclean = start(2)
    unclean.ready(1)
    unclean.workers.stop()
    unclean.worker(1).end(1)
    // It was still starting.
    unclean.worker(2).end(null, 'SIGTERM')
    expect(unclean.ends).toEqual([1])
  })
})

describe('metrics of workers', () => {
  const metric = (name: string, type: Metric['type'], value: number): Metric => ({
    ...{ name, type, help: 'Help.' },
    samples: [{ labels: { of: 'x' }, value }],
  })
  const counts = (uploads: number, running: number, lag: number) => [
    metric('sluice_uploads_total', 'counter', uploads),
    metric('sluice_decoder_running', 'gauge', running),
    metric('nodejs_eventloop_lag_max_seconds', 'gauge', lag),
  ]
  const shared = [metric('sluice_budget_left', 'gauge', Number.POSITIVE_INFINITY)]

  test('are one: added up or the largest, those of the site once, and no count falls when a worker ends', async () => {
    const { ready, worker } = start(2)
    ready(1, 2)
    let scrapes = 0
    /** Scrapes a worker. The other one answers with these. */
    const scrape = async (of: Idle, own: readonly Metric[], other: Idle | null, others: readonly Metric[] = []) => {
      scrapes += 1
      of.say({ kind: 'scrape', id: scrapes, own, shared })
      if (other) other.say({ kind: 'metrics', id: other.asked.at(-1) ?? 0, own: others })
      await vi.advanceTimersByTimeAsync(2_000)
      const answer = of.sent.find((message) => message.kind === 'scraped' && message.id === scrapes)
      const metrics = answer?.kind === 'scraped' ? answer.metrics : []
      return Object.fromEntries(metrics.map(({ name, samples }) => [name, samples.map(({ value }) => value)]))
    }
    const site = { sluice_budget_left: [Number.POSITIVE_INFINITY] }
    expect(await scrape(worker(1), counts(10, 1, 0.5), worker(2), counts(7, 2, 0.25))).toEqual({
      ...{ sluice_uploads_total: [17], sluice_decoder_running: [3], nodejs_eventloop_lag_max_seconds: [0.5], ...site },
    })
    // Worker 2 does not answer: its counts are those of the last scrape.
    expect(await scrape(worker(1), counts(11, 0, 0.5), null)).toMatchObject({
      ...{ sluice_uploads_total: [18], sluice_decoder_running: [0] },
    })
    worker(2).end(null, 'SIGKILL')
    await vi.advanceTimersByTimeAsync(0)
    ready(3)
    expect(await scrape(worker(3), counts(1, 1, 0), worker(1), counts(12, 1, 0))).toMatchObject({
      ...{ sluice_uploads_total: [20], sluice_decoder_running: [2], ...site },
    })
  })
})
