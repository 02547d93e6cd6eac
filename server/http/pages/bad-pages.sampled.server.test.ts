import pLimit from 'p-limit'
import { expect, test } from 'vitest'
import { drawPage, followPart } from '#testing/bad-requests/pages.ts'
import { attemptRequest } from '#testing/bad-requests/trials.ts'
import { seededRandom } from '#testing/random.ts'
import { sample, seed } from '#testing/sampled.ts'
import { startSluiceServer } from '#testing/sluice/sluice-server.ts'

const COUNT = sample(3_000, 50)
const AT_ONCE = 8

test('pages asked for with any headers of Next, its own or malformed, answer once each without a fault', async () => {
  await using sluice = await startSluiceServer({
    env: { SLUICE_TRUSTED_PROXIES: '127.0.0.1', SLUICE_GALLERY: 'on', SLUICE_LOG: 'warn' },
  })
  const origin = { origin: `http://127.0.0.1:${sluice.port}` }
  let followed = 0
  const limited = pLimit(AT_ONCE)
  const attempts = Array.from({ length: COUNT }, (_, index) =>
    limited(async () => {
      const random = seededRandom(seed * 1_000_003 + index)
      const request = drawPage({ random, address: `10.1.${(index >> 8) & 255}.${index & 255}` })
      const first = await attemptRequest(origin, request, [])
      const part = followPart(request, first.location)
      if (part) followed += 1
      const { problem } = part && first.problem === null ? await attemptRequest(origin, part, []) : first
      return problem === null ? [] : [{ index, problem, request: (part ?? request).bytes.toString('latin1') }]
    }),
  )
  expect((await Promise.all(attempts)).flat()).toEqual([])
  // Without one, no part of a page was rendered.
  expect(followed).toBeGreaterThan(0)
  expect(sluice.logs.filter((line) => /"level":"(?:error|fatal)"|Next\.js|⨯/.test(line))).toEqual([])
}, 1_200_000)
