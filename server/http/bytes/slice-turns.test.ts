import { setImmediate as turn } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { sliceTurn } from './slice-turns.ts'

test('eight slices are written per turn, in order of arrival', async () => {
  const gone: number[] = []
  const ask = (id: number) => {
    const mine = sliceTurn()
    if (mine === null) gone.push(id)
    else void mine.then(() => gone.push(id))
  }
  const upTo = (last: number) => Array.from({ length: last + 1 }, (_, id) => id)
  for (const id of upTo(19)) ask(id)
  expect(gone).toEqual(upTo(7))
  await turn()
  expect(gone).toEqual(upTo(15))
  ask(20)
  await turn()
  expect(gone).toEqual(upTo(20))
  await turn()
  ask(21)
  expect(gone).toEqual(upTo(21))
})
