import { expect, test } from 'vitest'
import { startPostgresServer } from '#testing/postgres-server.ts'
import { killBeforeEachStep } from '#testing/storage-kills.ts'

test('kill -9 before any step of uploads, purges and sweeps loses nothing and leaves nothing, on PostgreSQL', async () => {
  await using postgres = await startPostgresServer()
  const { kills, steps } = await killBeforeEachStep(await postgres.createDatabase())
  console.log(`killed before each of ${steps} steps`)
  expect(kills).toBe(steps)
}, 900_000)

test('nor does it on the embedded database, opened again each time', async () => {
  const { kills, steps } = await killBeforeEachStep(null)
  console.log(`killed before each of ${steps} steps`)
  expect(kills).toBe(steps)
}, 900_000)
