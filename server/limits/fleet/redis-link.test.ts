import { expect, test } from 'vitest'
import { urlsOfNodes } from './redis-link.ts'

test("all nodes get the user, password and TLS of the first; a single node's URL is used unchanged", () => {
  expect(urlsOfNodes('redis://127.0.0.1:6379/3')).toEqual(['redis://127.0.0.1:6379/3'])
  expect(urlsOfNodes('rediss://ann:secret@one.example:7000, redis://two.example:7001,redis://[2001:db8::1]')).toEqual([
    'rediss://ann:secret@one.example:7000',
    'rediss://ann:secret@two.example:7001',
    'rediss://ann:secret@[2001:db8::1]:6379',
  ])
})
