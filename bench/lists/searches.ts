import type { TestCaller } from '#testing/sluice/sluice-app.ts'
import { atMost, median, spreadOf } from '../report/figures.ts'
import { type Row, spread, type Table } from '../report/table.ts'
import { words } from './fill.ts'

const PAGE = 60
/** Milliseconds of a first page. */
const TARGET = atMost(50)

const orders = [
  { name: 'newest', sort: 'newest', by: 'uploaded' },
  { name: 'oldest', sort: 'oldest', by: 'uploaded' },
  { name: 'taken last', sort: 'newest', by: 'taken' },
  { name: 'taken first', sort: 'oldest', by: 'taken' },
  { name: 'title', sort: 'title', by: 'uploaded' },
  { name: 'largest', sort: 'largest', by: 'uploaded' },
] as const

/** What is searched for, with whether the target is for it: it is not for matches that are all at the far end of the order. */
const searches = [
  { name: '1 of a million', query: { text: words.one }, isTarget: true },
  { name: '1 in 1,000', query: { text: words.thousand }, isTarget: true },
  { name: '1 in 10', query: { text: words.tenth }, isTarget: true },
  { name: 'all', query: { text: words.all }, isTarget: true },
  { name: 'two letters, 1 in 1,000', query: { text: 'gh th', type: 'jpeg' }, isTarget: true },
  { name: 'none', query: { text: 'nothing of the kind' }, isTarget: true },
  { name: 'the oldest 100,000', query: { text: words.oldest }, isTarget: false },
] as const

interface Measuring {
  readonly rounds: number
  readonly calls: number
  includes(name: string): boolean
}

/** Measures the first page of every search in every order, and the count, of an owner of a million images. */
export async function measureSearches(caller: TestCaller, { rounds, calls, includes }: Measuring): Promise<Row[]> {
  const rows: Row[] = []
  for (const { name, query, isTarget } of searches) {
    for (const { name: order, ...sorted } of orders) {
      const label = `${name}, ${order}`
      if (!includes(label)) continue
      const input = { scope: 'mine', query, ...sorted } as const
      const page = await timed(rounds, calls, () => caller.image.list({ ...input, limit: PAGE }))
      const count = await timed(rounds, calls, () => caller.image.count(input))
      const { count: found, more } = count.last
      const cells = [
        more ? `${found.toLocaleString('en')}+` : `${found}`,
        page.ms.median.toFixed(1),
        spread(page.ms),
        count.ms.median.toFixed(1),
      ]
      const goals = isTarget ? [{ target: TARGET, figure: page.ms.median }] : []
      rows.push({ name: label, cells, goals, raw: { page: page.ms, count: count.ms } })
      console.error(label, cells.join(' '))
    }
  }
  return rows
}

async function timed<T>(rounds: number, calls: number, call: () => Promise<T>) {
  const medians: number[] = []
  let last = await call()
  for (let round = 0; round < rounds; round += 1) {
    const times: number[] = []
    for (let at = 0; at < calls; at += 1) {
      const start = performance.now()
      last = await call()
      times.push(performance.now() - start)
    }
    medians.push(median(times))
  }
  return { ms: spreadOf(medians), last }
}

export const searchTable = (rows: readonly Row[], calls: number, rounds: number): Table => ({
  title: 'Searches',
  about: `The first page of ${PAGE} images that match a search, and their count, of an owner with 1,000,000 images, as above; the median of ${calls} calls is a round's figure, of ${rounds} rounds. The oldest 100,000 are the worst that was found: in one order they are the last.`,
  columns: ['found', 'ms, page', 'least to most', 'ms, count'],
  rows: [...rows],
})
