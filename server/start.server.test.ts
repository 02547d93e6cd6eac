import { expect, test, vi } from 'vitest'
import { freePort } from '#testing/free-port.ts'
import { startSluiceServer } from '#testing/sluice-server.ts'

test('reports an unreachable Redis at start, before the first call', async () => {
  await using sluice = await startSluiceServer({ env: { REDIS_URL: `redis://127.0.0.1:${await freePort()}` } })
  const { logs } = sluice
  await vi.waitFor(() => expect(logs.filter((line) => line.includes('"type":"degraded"'))).toHaveLength(1))
})
