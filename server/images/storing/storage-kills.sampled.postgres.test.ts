import { expect, test } from 'vitest'
import { sample, seed } from '#testing/sampled.ts'
import { createPostgresDatabase } from '#testing/servers/postgres-database.ts'
import { killBeforeEachStep } from '#testing/storage/storage-kills.ts'

test('kill -9 before any step of uploads, purges and sweeps loses and leaves nothing, on PostgreSQL', async () => {
  await expectWholeAfterKills(await createPostgresDatabase(), sample(1, 61))
}, 3_600_000)

test('kill -9 loses and leaves nothing on the embedded database, opened again each time', async () => {
  await expectWholeAfterKills(null, sample(1, 127))
}, 3_600_000)

/** Kills before one step in `stride`, because each kill takes a process. */
async function expectWholeAfterKills(databaseUrl: string | null, stride: number): Promise<void> {
  const first = 1 + (seed % stride)
  const { kills, steps } = await killBeforeEachStep(databaseUrl, first, stride)
  expect(kills).toBe(Math.ceil((steps + 1 - first) / stride))
}
