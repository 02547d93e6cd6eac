import { expect, test, vi } from 'vitest'
import { readSite } from './database.ts'

type Parts = Parameters<typeof readSite>[0]

function partsOver(query: () => Promise<unknown>): Parts {
  const db = { $queryRaw: query } as unknown as Parts['db']
  const notAsked = () => Promise.reject(new Error('not asked'))
  return { db, jobs: { names: ['sweep'] }, budgets: { read: notAsked }, backups: { readStanding: notAsked } }
}
const DOWN = { sluice_database_up: [{ value: 0 }] }

test('a scrape neither fails nor waits for ever while the database is down', async () => {
  expect(await readSite(partsOver(() => Promise.reject(new Error('down'))))).toEqual(DOWN)
  vi.useFakeTimers()
  const silent = readSite(partsOver(() => new Promise(() => {})))
  await vi.advanceTimersByTimeAsync(5_000)
  expect(await silent).toEqual(DOWN)
  vi.useRealTimers()
})
