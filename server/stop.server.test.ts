import { expect, test } from 'vitest'
import { startPostgresBehindProxy } from '#testing/postgres-behind-proxy.ts'
import { startSluiceServer } from '#testing/sluice-server.ts'

// As of a machine that is shut down as a whole, or of a network that is cut.
test.each([
  ['refuse', 0],
  ['blackhole', 1],
] as const)(
  'a database that is away (%s) keeps no server from ending',
  async (mode, code) => {
    await using postgres = await startPostgresBehindProxy()
    await using sluice = await startSluiceServer({ env: { DATABASE_URL: postgres.url } })
    await postgres.proxy.set(mode)
    expect(await sluice.stop()).toBe(code)
    expect(sluice.logs.some((line) => line.startsWith('Sluice did not end'))).toBe(code === 1)
  },
  60_000,
)
