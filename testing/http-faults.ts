import { once } from 'node:events'
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import { buffer } from 'node:stream/consumers'

export interface SeenRequest {
  readonly method: string
  /** Path and query, as they came. */
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: Buffer
}

export interface HttpAnswer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: Buffer | string
}

/** What is to go wrong with a request; null lets it pass. */
export interface HttpFault {
  /** Answers in the server's place, which does not hear of it. */
  readonly answer?: HttpAnswer
  /** Forwards other bytes than came. */
  readonly sent?: (body: Buffer) => Buffer
  /** Answers otherwise than the server did. */
  readonly received?: (answer: HttpAnswer & { readonly body: Buffer }) => HttpAnswer
  /** Cuts the connection, or falls silent, after so many bytes of the answer's body; null before its head. */
  readonly end?: { readonly how: 'reset' | 'silence'; readonly after: number | null }
}

/** An HTTP proxy in front of a real server that spoils what a test tells it to, and remembers every request. */
export interface HttpFaultProxy extends AsyncDisposable {
  readonly endpoint: string
  readonly requests: SeenRequest[]
  /** Asked for each request from now on. */
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
  // Behind the head nobody waits for it: a byte more than should come would end the process.
  req.on('error', () => undefined)
  req.end(seen.body)
  const [res]: IncomingMessage[] = await once(req, 'response')
  if (!res) throw new Error('no response')
  return { status: res.statusCode ?? 0, headers: plain(res.headers), body: await buffer(res) }
}

function plain(headers: IncomingMessage['headers']): Record<string, string> {
  // Each hop has connections of its own.
  const kept = Object.entries(headers).filter(
    ([name]) => !['connection', 'keep-alive', 'transfer-encoding'].includes(name),
  )
  return Object.fromEntries(kept.map(([name, value]) => [name, String(value)]))
}
