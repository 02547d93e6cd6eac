import { expect, test } from 'vitest'
import { z } from 'zod'
import { createPostgresDatabase, openPostgresDatabase } from '#testing/servers/postgres-database.ts'
import { auditSuite } from '#testing/sluice/audit-suite.ts'
import { startApp } from '#testing/sluice/sluice-app.ts'
import { Prisma } from '../../generated/prisma/client.ts'
import { NOBODY } from './audit.ts'
import type { AuditFilter } from './filter.ts'
import { visibleTo } from './filter.ts'
import { entryPart } from './read-entries.ts'

auditSuite(async () => startApp({ DATABASE_URL: await createPostgresDatabase() }))

const plan = z.array(z.object({ 'QUERY PLAN': z.string() }))

test('of 100,000 entries none is read that an index can skip', async () => {
  const { db, close } = await openPostgresDatabase()
  // In parts: a query has 16 seconds, and other tests have the cores.
  for (let from = 1; from <= 100_000; from += 10_000)
    await db.$executeRaw`
      INSERT INTO "AuditEntry" ("at", "actorId", "actorName", "action", "target", "requestId", "accountId", "address")
      SELECT now() - n * interval '1 minute', md5((n % 500)::text)::uuid, 'u' || n % 500,
        CASE WHEN n % 50 = 0 THEN 'user.ban' ELSE 'account.signIn' END, 'user/' || n % 500, 'r' || n,
        md5((n % 700)::text)::uuid, '192.0.2.' || n % 250
      FROM generate_series(${from}::int, ${from + 9_999}::int) AS "n"`
  await db.$executeRaw`ANALYZE "AuditEntry"`
  const nobody = { userId: NOBODY, username: '', displayName: null, pictureHash: null, locale: null }
  const viewer = { ...nobody, shared: false, sessionId: null, provedAt: null, needsFactor: false, token: null }
  const after = { at: new Date(Date.now() - 86_400_000), id: '5' }
  const filters: readonly AuditFilter[] = [
    {},
    { actor: 'nobody' },
    { account: 'nobody' },
    { kind: 'user' },
    { kind: 'budget' },
    { action: 'user.ban' },
    { address: '192.0.2.9' },
    { requestId: 'r7' },
    { from: '2020-01-01T00:00:00.000Z', to: '2020-02-01T00:00:00.000Z' },
    { actor: 'nobody', action: 'user.ban' },
  ]
  for (const role of ['superadmin', 'admin'] as const) {
    for (const filter of filters) {
      const query = { filter, visible: visibleTo({ ...viewer, role }), limit: 51 }
      for (const position of [null, after]) {
        const rows = await db.$queryRaw`EXPLAIN ${await entryPart(db, { ...query, after: position })}`
        const lines = plan.parse(rows).map((row) => row['QUERY PLAN'])
        expect(
          lines.filter((line) => line.includes('Seq Scan')),
          `${role} ${JSON.stringify(filter)}`,
        ).toEqual([])
      }
    }
  }
  const own = { filter: {}, visible: Prisma.sql`"accountId" = ${NOBODY}::uuid`, after, limit: 21 }
  const rows = await db.$queryRaw`EXPLAIN ${await entryPart(db, own)}`
  expect(plan.parse(rows).filter((row) => row['QUERY PLAN'].includes('Seq Scan'))).toEqual([])
  await close()
})
