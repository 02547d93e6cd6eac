import { afterAll, beforeAll, describe } from 'vitest'
import { describeConformance } from '../../../testing/limits/conformance.ts'
import { redisHarness } from '../../../testing/limits/harness.ts'
import { redisUnderTest } from '../../../testing/servers/redis-under-test.ts'

describe.each(redisUnderTest())('$name', ({ open }) => {
  let server: Awaited<ReturnType<typeof open>>
  beforeAll(async () => {
    server = await open()
  })
  afterAll(() => server[Symbol.asyncDispose]())

  describeConformance(() => redisHarness(server.url))
})
