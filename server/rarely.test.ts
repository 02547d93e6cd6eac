import { expect, test } from 'vitest'
import { rarely } from './rarely.ts'

test('reports the first value at once, then the latest after the interval, with their number', () => {
  const told: [string, number][] = []
  let now = 0
  const tell = rarely<string>(
    1_000,
    (last, times) => told.push([last, times]),
    () => now,
  )
  for (const name of ['a', 'b', 'c']) tell(name)
  now = 1_000
  tell('d')
  expect(told).toEqual([
    ['a', 1],
    ['d', 3],
  ])
})
