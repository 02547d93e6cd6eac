import { expect, test } from 'vitest'
import { startPostgresBehindProxy } from '#testing/servers/postgres-behind-proxy.ts'
import { startSluiceServer } from '#testing/sluice/sluice-server.ts'

// As when the whole machine shuts down, or the network is cut.
test.each([
  ['refuse', 0],
  ['blackhole', 1],
] as const)('an unavailable database (%s) does not keep the server from stopping', async (mode, code) => {
  await using postgres = await startPostgresBehindProxy()
  await using sluice = await startSluiceServer({ env: { DATABASE_URL: postgres.url } })
  await postgres.proxy.set(mode)
  expect(await sluice.stop()).toBe(code)
  expect(sluice.messages.some((line) => line.startsWith('Sluice did not shut down'))).toBe(code === 1)
})
