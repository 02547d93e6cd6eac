import { once } from 'node:events'
import { Agent, type IncomingMessage, request } from 'node:http'
import { connect } from 'node:net'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { sendRaw } from '#testing/http/raw-http.ts'
import { startApp, type TestApp } from '#testing/sluice/sluice-app.ts'
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
  it('drains even if clients keep their connections busy: each serves one more request', async () => {
    const server = createHttpServer(test.app, async (_req, res) => void res.end()).listen(0, '127.0.0.1')
    await once(server, 'listening')
    const address = server.address()
    if (address === null || typeof address === 'string') throw new Error('no port')
    const url = `http://127.0.0.1:${address.port}/healthz`
    using agent = Object.assign(new Agent({ keepAlive: true, maxSockets: 1 }), {
      [Symbol.dispose]: () => agent.destroy(),
    })
    expect((await get(url, agent)).headers.connection).toBe('keep-alive')

    // A request under way when the server stops listening.
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

  it('tells all answers of a connection that it has closed, also those that wait behind others', async () => {
    const [served, closed]: [string[], string[]] = [[], []]
    const server = createHttpServer(test.app, async ({ url = '' }, res) => {
      served.push(url)
      await once(res, 'close')
      closed.push(url)
    }).listen(0, '127.0.0.1')
    await once(server, 'listening')
    const address = server.address()
    if (address === null || typeof address === 'string') throw new Error('no port')
    const socket = connect(address.port, '127.0.0.1')
    const paths = Array.from({ length: 12 }, (_, at) => `/page-${at}`)
    socket.write(paths.map((path) => `GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`).join(''))
    await expect.poll(() => served).toEqual(paths)
    socket.destroy()
    await expect.poll(() => closed.toSorted()).toEqual(paths.toSorted())
    await new Promise((resolve) => server.close(resolve))
  })

  it('keeps idle connections for longer than proxies do', async () => {
    const server = createHttpServer(test.app, async (_req, res) => void res.end()).listen(0, '127.0.0.1')
    await once(server, 'listening')
    const address = server.address()
    if (address === null || typeof address === 'string') throw new Error('no port')
    using agent = Object.assign(new Agent({ keepAlive: true }), { [Symbol.dispose]: () => agent.destroy() })
    const { headers } = await get(`http://127.0.0.1:${address.port}/healthz`, agent)
    expect(headers['keep-alive']).toBe('timeout=125')
    server.close()
  })

  it('serves no metrics without a setting', async () => {
    const headers = { authorization: 'Bearer undefined' }
    expect((await fetch(`${test.origin}/metrics`, { headers })).status).toBe(404)
  })

  it('waits for a slow answer, but not for a body that does not arrive', async () => {
    const server = createHttpServer(test.app, async ({ socket }, res) => {
      await once(socket, 'timeout')
      await once(socket, 'timeout')
      res.end('late')
    })
    server.setTimeout(200)
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    const address = server.address()
    if (address === null || typeof address === 'string') throw new Error('no port')
    const url = `http://127.0.0.1:${address.port}/`
    expect(await fetch(url).then((answer) => answer.text())).toBe('late')
    const stalled = request(`${url}api/auth/x`, { method: 'POST', headers: { 'Content-Length': 9 } })
    stalled.write('a')
    await expect(once(stalled, 'response')).rejects.toMatchObject({ code: 'ECONNRESET' })
    server.close()
  })

  it('checks its dependencies once a second, however often it is probed', async () => {
    const asked = vi.spyOn(test.app.images, 'checkStore')
    // All requests fall within one second, however slow the machine is.
    vi.spyOn(performance, 'now').mockReturnValue(performance.now())
    const statuses = await Promise.all(
      Array.from({ length: 50 }, () => fetch(`${test.origin}/readyz`).then((answer) => answer.status)),
    )
    expect(new Set(statuses)).toEqual(new Set([200]))
    expect(asked).toHaveBeenCalledTimes(1)
  })

  it('allows 14 seconds for a head, and checks that every second', () => {
    expect(test.server).toMatchObject({ headersTimeout: 14_000, connectionsCheckingInterval: 1_000 })
  })

  it('survives an upgrade whose client disconnects before the refusal', async () => {
    const { port } = new URL(test.origin)
    for (let at = 0; at < 50; at += 1) {
      const socket = connect(Number(port), '127.0.0.1')
      await once(socket, 'connect')
      socket.write('GET / HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n')
      socket.resetAndDestroy()
    }
    expect((await fetch(`${test.origin}/healthz`)).status).toBe(200)
  })

  it('answers in HTTP/1.1 when another protocol is offered', async () => {
    const headers = { connection: 'Upgrade, HTTP2-Settings', upgrade: 'h2c', 'http2-settings': 'AAMAAABkAAQAAP__' }
    const [response] = await once(request(`${test.origin}/healthz`, { headers }).end(), 'response')
    expect(response.statusCode).toBe(200)
    response.resume()
  })

  it('serves a request with an unknown expectation like any other', async () => {
    const { status, headers } = await sendRaw(test.origin, 'GET /healthz HTTP/1.1\r\nHost: x\r\nExpect: tea\r\n\r\n')
    expect(status).toBe(200)
    expect(headers).toMatchObject({ 'x-content-type-options': 'nosniff', 'x-request-id': expect.any(String) })
  })

  it('does not receive a body that no route reads', async () => {
    const { port } = new URL(test.origin)
    const socket = connect(Number(port), '127.0.0.1')
    socket.on('error', () => undefined)
    socket.write('POST /healthz HTTP/1.1\r\nHost: x\r\nContent-Length: 200000000\r\n\r\n')
    const chunk = Buffer.alloc(1024 * 1024)
    const send = () => {
      while (!socket.destroyed && socket.write(chunk));
    }
    socket.on('drain', send)
    send()
    const [answer] = await once(socket, 'data')
    expect(String(answer)).toMatch(/^HTTP\/1\.1 200 OK/)
    await new Promise((resolve) => socket.once('close', resolve))
    // The buffers of both sockets, and a little more.
    expect(socket.bytesWritten).toBeLessThan(16 * 1024 * 1024)
  })
})
