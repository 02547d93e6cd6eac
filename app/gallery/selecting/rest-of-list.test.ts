import { expect, test } from 'vitest'
import { pagesFrom } from './rest-of-list.ts'

const pages = new Map([
  ['2', { items: ['c', 'd'], nextCursor: '3' }],
  ['3', { items: ['e'], nextCursor: null }],
])

test('requests page after page until the last', async () => {
  const asked: (string | undefined)[] = []
  const ask = async (cursor: string | undefined) => {
    asked.push(cursor)
    return pages.get(cursor ?? '2') ?? { items: [], nextCursor: null }
  }
  expect(await Array.fromAsync(pagesFrom('2', ask))).toEqual([['c', 'd'], ['e']])
  expect(asked).toEqual(['2', '3'])
  expect(await Array.fromAsync(pagesFrom(null, ask))).toEqual([])
  expect(await Array.fromAsync(pagesFrom(undefined, ask))).toEqual([['c', 'd'], ['e']])
  expect(asked.slice(2)).toEqual([undefined, '3'])
})

test('requests no page before it is needed', async () => {
  const asked: (string | undefined)[] = []
  const ask = async (cursor: string | undefined) => {
    asked.push(cursor)
    return { items: ['c'], nextCursor: '3' }
  }
  for await (const _ of pagesFrom('2', ask)) break
  expect(asked).toEqual(['2'])
})
