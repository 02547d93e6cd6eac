import { once } from 'node:events'
import { Agent, type IncomingMessage, request } from 'node:http'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { startApp, type TestApp } from '#testing/sluice-app.ts'
import { createHttpServer } from './server.ts'

let test: TestApp
beforeAll(async () => {
  test = await startApp()
})
afterAll(() => test[Symbol.asyncDispose]())

async function get(url: string, agent: Agent): Promise<IncomingMessage> {
  const [response] = await once(request(url, { agent }).end(), 'response')
  await once(response.resume(), 'end')
  return response
}

describe('the server', () => {
  it('drains under a client that keeps its connection busy: each serves one request more', async () => {
    const server = createHttpServer(test.app, async (_req, res) => void res.end()).listen(0, '127.0.0.1')
    await once(server, 'listening')
    const address = server.address()
    if (address === null || typeof address === 'string') throw new Error('no port')
    const url = `http://127.0.0.1:${address.port}/healthz`
    using agent = Object.assign(new Agent({ keepAlive: true, maxSockets: 1 }), {
      [Symbol.dispose]: () => agent.destroy(),
    })
    expect((await get(url, agent)).headers.connection).toBe('keep-alive')

    // A request that is on its way when the server stops listening.
    const last = request(url, { agent, method: 'POST' })
    last.write('a')
    await once(server, 'request')
    const closed = once(server, 'close')
    server.close()
    last.end()
    await once(last, 'response').then(([response]) => once(response.resume(), 'end'))
    expect((await get(url, agent)).headers.connection).toBe('close')
    await closed
  })

  it('asks its dependencies once a second, whoever wants to know', async () => {
    const asked = vi.spyOn(test.app.images, 'checkStore')
    const statuses = await Promise.all(
      Array.from({ length: 50 }, () => fetch(`${test.origin}/readyz`).then((answer) => answer.status)),
    )
    expect(new Set(statuses)).toEqual(new Set([200]))
    expect(asked).toHaveBeenCalledTimes(1)
  })
})
