import { expect, test } from 'vitest'
import { Generations } from './generations.ts'

test('keeps entries that are used and drops the others', () => {
  const known = new Generations<number>(2)
  for (const [index, name] of ['a', 'b', 'c'].entries()) expect(known.add(name, index)).toBe(index)
  expect(known.get('a')).toBe(0)
  known.add('d', 3)
  expect([known.get('a'), known.get('b'), known.get('c'), known.get('d')]).toEqual([0, undefined, 2, 3])
})
