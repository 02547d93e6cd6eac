import { expect, test } from 'vitest'
import { killBeforeEachStep } from '#testing/storage/storage-kills.ts'

test('a backup that is killed before any of its steps leaves whole snapshots, and the next one goes on', async () => {
  const { kills, steps } = await killBeforeEachStep(null, 1, 1, 'backup-kill-worker.ts')
  expect(steps).toBeGreaterThan(60)
  expect(kills).toBeGreaterThanOrEqual(steps - 20)
}, 3_600_000)
