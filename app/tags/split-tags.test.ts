import { expect, test } from 'vitest'
import { splitTags } from './split-tags.ts'

test.each([
  ['sea', ['sea']],
  [' a, b ,,a;\nc ', ['a', 'b', 'c']],
  ['海，山、河', ['海', '山', '河']],
  [' , ', []],
  ['two words', ['two words']],
])('%j are the tags %j', (typed, tags) => {
  expect(splitTags(typed)).toEqual(tags)
})

test('what is pasted is bounded', () => {
  expect(splitTags(Array.from({ length: 100 }, (_, index) => `t${index}`).join(',')).length).toBe(20)
})
