import { expect, test } from 'vitest'
import { startPostgresServer } from '#testing/postgres-server.ts'
import { killBeforeEachStep } from '#testing/storage-kills.ts'

test('kill -9 before any step of uploads, purges and sweeps loses nothing and leaves nothing, on PostgreSQL', async () => {
  await using postgres = await startPostgresServer()
  const { kills, steps } = await killBeforeEachStep(await postgres.createDatabase())
  expect(kills).toBe(steps)
}, 600_000)

// Opening the embedded database takes longer: every seventh step, which meets each kind of step.
test('nor does it on the embedded database, opened again each time', async () => {
  const { kills, steps } = await killBeforeEachStep(null, 7)
  expect(kills).toBe(Math.ceil(steps / 7))
}, 600_000)
