import { expect, test } from 'vitest'
import { cacheSavings } from './cache-savings.ts'
import { published } from './prices.ts'

const figures = { bytes: 5, objects: 1, maxBytes: 10, scope: 'host' } as const

test('a hit saves a request and its bytes', () => {
  const prices = { ...published.s3, reads: 400_000_000, bytesOut: 90_000_000, gigabyte: 1_000_000_000 } as const
  expect(cacheSavings({ ...figures, hits: 3, misses: 1, bytesServed: 2_000_000_000 }, prices)).toEqual({
    hits: 3,
    misses: 1,
    hitRatio: 0.75,
    bytes: 5,
    objects: 1,
    maxBytes: 10,
    savedNanos: 1_200 + 180_000_000,
  })
  expect(cacheSavings({ ...figures, hits: 0, misses: 0, bytesServed: 0 }, prices)).toMatchObject({
    hitRatio: 0,
    savedNanos: 0,
  })
})
