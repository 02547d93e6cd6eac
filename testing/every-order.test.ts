import { expect, test } from 'vitest'
import { inEveryOrder } from './every-order.ts'

test('runs every order of two times two steps, and checks every resulting state once', async () => {
  let done = ''
  const ended: string[] = []
  const seen: string[] = []
  const actor = (name: string) => ({
    name,
    async run(gate: (step: string) => Promise<void>) {
      for (const step of ['1', '2']) {
        await gate(step)
        done += name
      }
    },
  })
  const orders = await inEveryOrder({
    async scene() {
      done = ''
      return [actor('a'), actor('b')]
    },
    after: async () => void seen.push(done),
    finish: async () => void ended.push(done),
  })
  expect(orders).toBe(6)
  expect(ended).toEqual(['aabb', 'abab', 'abba', 'baab', 'baba', 'bbaa'])
  const states = ended.flatMap((order) => [1, 2, 3, 4].map((length) => order.slice(0, length)))
  expect(seen.toSorted()).toEqual([...new Set(states)].toSorted())
})
