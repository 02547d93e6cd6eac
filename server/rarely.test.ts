import { expect, test } from 'vitest'
import { rarely } from './rarely.ts'

test('tells the first at once, and of the others the last after a while, with their number', () => {
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
