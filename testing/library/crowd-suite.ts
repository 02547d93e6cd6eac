import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Person, TestApp } from '../sluice/sluice-app.ts'
import { type CrowdOrder, crowd, crowdWords, inOrder, insertCrowd, isInAlbum } from './image-crowd.ts'

/** What a list must have among more images than a search looks at one by one, tested on any database. */
export function testCrowd(open: () => Promise<TestApp>): void {
  let served: TestApp
  let hoarder: Person
  let crowdAlbum: string
  beforeAll(async () => {
    served = await open()
    hoarder = await served.person({ role: 'superadmin' })
    crowdAlbum = await insertCrowd(served, hoarder.viewer.userId)
  })
  afterAll(() => served[Symbol.asyncDispose]())

  test.each<CrowdOrder>([{}, { by: 'taken', sort: 'oldest' }, { sort: 'title' }, { sort: 'largest' }])(
    'among many, what matches is found wherever it is in the order %j, and counted up to 1,000',
    async (order) => {
      for (const [text, has] of Object.entries(crowdWords)) {
        const matching = crowd.filter(({ n }) => has(n))
        const input = { scope: 'mine', query: { text }, ...order } as const
        const { items } = await served.as(hoarder).image.list({ ...input, limit: 30 })
        expect(items.map(({ filename }) => Number(filename))).toEqual(inOrder(matching, order).slice(0, 30))
        expect(await served.as(hoarder).image.count(input)).toEqual({
          count: Math.min(1_000, matching.length),
          more: matching.length > 1_000,
        })
      }
    },
  )

  test.each<CrowdOrder>([{ sort: 'newest' }, { by: 'taken', sort: 'oldest' }, { sort: 'title' }, {}])(
    'a large album has in the order %j what matches of it',
    async (order) => {
      for (const text of ['everywhere', 'oldest', 'middle', 'single', 'nowhere']) {
        const matching = crowd.filter(({ n }) => isInAlbum(n) && crowdWords[text]?.(n))
        const input = { scope: 'mine', query: { text, album: crowdAlbum }, ...order } as const
        const { items } = await served.as(hoarder).image.list({ ...input, limit: 30 })
        const expected = order.sort ? inOrder(matching, order) : matching.map(({ n }) => n)
        expect(items.map(({ filename }) => Number(filename))).toEqual(expected.slice(0, 30))
        const { count } = await served.as(hoarder).image.count(input)
        expect(count).toBe(Math.min(1_000, matching.length))
      }
    },
  )
}
