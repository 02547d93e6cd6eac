import { once } from 'node:events'
import { Agent, request } from 'node:http'
import { expect, test } from 'vitest'
import { startApp } from '#testing/sluice-app.ts'

test('a connection that nobody uses is kept for longer than proxies keep theirs: none sends a request as it is closed', async () => {
  await using served = await startApp()
  using agent = Object.assign(new Agent({ keepAlive: true }), { [Symbol.dispose]: () => agent.destroy() })
  const [answer] = await once(request(`${served.origin}/healthz`, { agent }).end(), 'response')
  answer.resume()
  expect(answer.headers['keep-alive']).toBe('timeout=125')
})
