import { expect, test } from 'vitest'
import { startTrials } from '#testing/bad-requests/start-trials.ts'
import { sample, seed } from '#testing/sampled.ts'

/** Connections. `npm run demo:bad-requests` opens any number. */
const COUNT = sample(20_000, 250)

test('bad requests are answered once each, and tell, break and leave nothing', async () => {
  await using trials = await startTrials(seed)
  const results = await trials.attemptAll(COUNT)
  expect(results.filter(({ problem }) => problem !== null)).toEqual([])
  expect(await trials.problemsBehind()).toEqual([])
}, 600_000)
