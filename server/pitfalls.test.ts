import { expect, test } from 'vitest'
import { pitfalls } from './pitfalls.ts'

const usual = {
  host: '127.0.0.1',
  origin: 'http://localhost:3000',
  originIsDefault: true,
  databaseUrl: null,
  redisUrl: null,
  processes: { count: 1, why: null },
}
const open = [
  'other machines can connect to HOST 0.0.0.0, but only pages of http://localhost:3000 can sign in or change anything: set SLUICE_ORIGIN to the address in their browsers',
]

test.each([
  ['the defaults', {}, []],
  ['a server for other machines without an origin', { host: '0.0.0.0' }, open],
  [
    'a server for other machines with an origin',
    { host: '0.0.0.0', origin: 'https://img.example', originIsDefault: false },
    [],
  ],
  ['a container whose port this machine alone reaches', { host: '0.0.0.0', originIsDefault: false }, []],
  ['IPv6 loopback', { host: '::1' }, []],
  ['processes that cannot be', { processes: { count: 1, why: 'one runs' } }, ['one runs']],
  ['a shared database with Redis', { databaseUrl: 'postgres://db/site', redisUrl: 'redis://a' }, []],
])('warns of %s as it should', (_, change, warnings) => {
  expect(pitfalls({ ...usual, ...change })).toEqual(warnings)
})

test('warns of a shared database without Redis', () => {
  expect(pitfalls({ ...usual, databaseUrl: 'postgres://db/site' })).toEqual([
    'the database is shared but the limiter is in this process: with several processes each limit applies per process; set REDIS_URL',
  ])
})
