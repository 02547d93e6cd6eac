import { once } from 'node:events'
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import { buffer } from 'node:stream/consumers'

export interface SeenRequest {
  readonly method: string
  /** Path and query as received. */
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: Buffer
}

export interface HttpAnswer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: Buffer | string
}

/** The fault of a request; null for none. */
export interface HttpFault {
  /** Responds in place of the server, which does not see the request. */
  readonly answer?: HttpAnswer
  /** Replaces the forwarded bytes. */
  readonly sent?: (body: Buffer) => Buffer
  /** Replaces the server's response. */
  readonly received?: (answer: HttpAnswer & { readonly body: Buffer }) => HttpAnswer
  /** Cuts the connection, or stops responding, after this many bytes of the response's body; before its head if null. */
  readonly end?: { readonly how: 'reset' | 'silence'; readonly after: number | null }
}

/** An HTTP proxy in front of a real server that injects a test's faults, and records every request. */
export interface HttpFaultProxy extends AsyncDisposable {
  readonly endpoint: string
  readonly requests: SeenRequest[]
  /** Decides the fault of each request from now on. */
  fault: (seen: SeenRequest) => HttpFault | null
}

const HOST = '127.0.0.1'

export async function startHttpFaultProxy(target: { host: string; port: number }): Promise<HttpFaultProxy> {
  const server = createServer((req, res) => {
    handle(req, res).catch(() => res.destroy())
  })
  server.listen(0, HOST)
  await once(server, 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('the proxy has no port')
  const proxy: HttpFaultProxy = {
    endpoint: `http://${HOST}:${address.port}`,
    requests: [],
    fault: () => null,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections()
      server.close()
    },
  }

  async function handle(req: IncomingMessage, res: ServerResponse): Promise<void> {
    const { method = '', url = '' } = req
    const seen = { method, url, headers: plain(req.headers), body: await buffer(req) }
    proxy.requests.push(seen)
    const { answer, sent, received, end } = proxy.fault(seen) ?? {}
    const own = answer ?? (await forward(target, { ...seen, body: sent ? sent(seen.body) : seen.body }))
    const given = received ? received({ ...own, body: Buffer.from(own.body) }) : own
    if (!end) return void res.writeHead(given.status, given.headers).end(method === 'HEAD' ? '' : given.body)
    if (end.after !== null) {
      res.writeHead(given.status, given.headers)
      await new Promise((done) => res.write(Buffer.from(given.body).subarray(0, end.after ?? 0), done))
    }
    if (end.how === 'reset') res.socket?.resetAndDestroy()
  }
  return proxy
}

async function forward(target: { host: string; port: number }, seen: SeenRequest): Promise<HttpAnswer> {
  const { host, port } = target
  const { method, url: path, headers } = seen
  const req = request({ host, port, method, path, headers, agent: false })
  // After the head nothing awaits it: an unhandled error for a surplus byte would end the process.
  req.on('error', () => undefined)
  req.end(seen.body)
  const [res]: IncomingMessage[] = await once(req, 'response')
  if (!res) throw new Error('no response')
  return { status: res.statusCode ?? 0, headers: plain(res.headers), body: await buffer(res) }
}

function plain(headers: IncomingMessage['headers']): Record<string, string> {
  // Each hop has its own connections.
  const kept = Object.entries(headers).filter(
    ([name]) => !['connection', 'keep-alive', 'transfer-encoding'].includes(name),
  )
  return Object.fromEntries(kept.map(([name, value]) => [name, String(value)]))
}
