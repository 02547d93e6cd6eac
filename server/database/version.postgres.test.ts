import { afterAll, beforeAll, expect, test } from 'vitest'
import { openPostgresDatabase } from '#testing/servers/postgres-database.ts'
import type { Database } from './database.ts'
import { versionToFollow } from './version.ts'

let database: Database
beforeAll(async () => {
  database = await openPostgresDatabase()
})
afterAll(() => database.close())

test('the version changes with any change of a row, and only then', async () => {
  const { db } = database
  const config = { databaseUrl: 'postgres://localhost', redisUrl: null }
  const version = versionToFollow(db, config, ['AccessRule', 'HotlinkRule'])
  const seen = [await version?.()]
  const changedAt = new Date(0)
  const data = { verdict: 'deny', note: null, changedAt, changedBy: 'Sue' }
  const changes = [
    () => db.accessRule.create({ data: { ...data, cidr: '192.0.2.0/24' } }),
    () => db.accessRule.update({ where: { cidr: '192.0.2.0/24' }, data }),
    () => db.hotlinkRule.create({ data: { id: 1, terms: {}, changedAt, changedBy: 'Sue' } }),
    () => db.accessRule.create({ data: { ...data, cidr: '198.51.100.0/24' } }),
    () => db.accessRule.delete({ where: { cidr: '192.0.2.0/24' } }),
  ]
  for (const change of changes) {
    await change()
    seen.push(await version?.())
    expect(await version?.()).toBe(seen.at(-1))
  }
  expect(new Set(seen).size).toBe(6)
})
