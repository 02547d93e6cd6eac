import { expect, test } from 'vitest'
import { behindProxy } from '#testing/http/image-client.ts'
import { BadFileTrials } from '#testing/images/bad-file-trials.ts'
import { fixedBadFiles, mutatedFile, soundFiles } from '#testing/images/bad-files.ts'
import { sample, seed } from '#testing/sampled.ts'
import { startApp } from '#testing/sluice/sluice-app.ts'

/** Files per format. `npm run demo:bad-files` sends any number. */
const COUNT = sample(1_500, 80)

test('bad files are refused or stored as the images they are, and the server keeps running', async () => {
  await using server = await startApp(behindProxy)
  const trials = new BadFileTrials(server, await server.person({ role: 'superadmin' }))
  const sound = await soundFiles()
  const files = [
    ...fixedBadFiles(sound),
    ...Array.from({ length: COUNT }, (_, index) => mutatedFile(sound, seed, index)),
  ]
  const results = await trials.attemptAll(files)
  expect(results.length).toBe(files.length)
  expect(results.filter(({ problem }) => problem !== null)).toEqual([])
  expect(await trials.problemsBehind()).toEqual([])
}, 300_000)
