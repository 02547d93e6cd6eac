import { expect, test } from 'vitest'
import { keepPlaces } from './held-rows.ts'

test('rows keep their places, show what is new of them, and new ones come last', () => {
  const kept = new Map(Object.entries({ carl: 60, bea: 30, dora: 20 }))
  const now = new Map(Object.entries({ bea: 61, emil: 45, carl: 40 }))
  expect([...keepPlaces(kept, now)]).toEqual([
    ['carl', 40],
    ['bea', 61],
    ['dora', 20],
    ['emil', 45],
  ])
})
