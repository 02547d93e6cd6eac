import { expect, test, vi } from 'vitest'
import { versionToFollow } from './version.ts'

const database = () => ({ $queryRaw: vi.fn() })

test.each([
  ['an embedded database', { databaseUrl: null, redisUrl: null }],
  ['an embedded database and a Redis', { databaseUrl: null, redisUrl: 'redis://localhost' }],
  ['a shared database and a Redis', { databaseUrl: 'postgres://localhost', redisUrl: 'redis://localhost' }],
])('is not polled over %s', (_, config) => {
  expect(versionToFollow(database(), config, ['AccessRule'])).toBeNull()
})
