import { expect, test } from 'vitest'
import { startPostgresServer } from '#testing/postgres-server.ts'
import { killBeforeEachStep } from '#testing/storage-kills.ts'

// A process each: some of the steps, which meet each kind of step. All of them are in storage-kills.long.test.ts.
test('kill -9 in the middle of uploads, purges and sweeps loses nothing and leaves nothing, on PostgreSQL', async () => {
  await using postgres = await startPostgresServer()
  const { kills, steps } = await killBeforeEachStep(await postgres.createDatabase(), 11)
  expect(kills).toBe(Math.ceil(steps / 11))
}, 300_000)

test('nor does it on the embedded database, opened again each time', async () => {
  const { kills, steps } = await killBeforeEachStep(null, 29)
  expect(kills).toBe(Math.ceil(steps / 29))
}, 300_000)
