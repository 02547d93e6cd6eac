import { once } from 'node:events'
import { createServer, type IncomingMessage, type OutgoingHttpHeaders, request, type ServerResponse } from 'node:http'
import { setTimeout } from 'node:timers/promises'
import type { HttpAnswer } from './http-faults.ts'
import { type S3Server, startS3Server } from './s3-server.ts'

/** The S3 operation of a request, by its method and address. */
export type SeenOperation =
  | 'put'
  | 'get'
  | 'head'
  | 'list'
  | 'delete'
  | 'create upload'
  | 'part'
  | 'complete upload'
  | 'abort upload'

/** The fault of a request; null for none. */
export interface CountedFault {
  /** Responds in place of the server, which does not see the request: at once, during the request's body, or after it. */
  readonly answer?: HttpAnswer & { readonly at: 'head' | 'end' }
  /** Cuts the connection after this many bytes of the request's body. */
  readonly cutIn?: number
  /** Cuts the connection, or stops responding, after this many bytes of the response's body; before its head if null. */
  readonly end?: { readonly how: 'cut' | 'silence'; readonly after: number | null }
  /** Milliseconds before each 16 KiB of the response's body. */
  readonly paceMs?: number
  /** Replaces the server's bytes. */
  readonly spoil?: (body: Buffer) => Buffer
}

/** An S3 server that keeps a bill: requests as they arrive, and bytes of bodies on the sockets. */
export interface CountingS3 extends S3Server {
  readonly requests: Map<SeenOperation, number>
  readonly bytes: {
    /** Bytes received of request bodies. */
    in: number
    /** Bytes of response bodies written to sockets. */
    out: number
  }
  /** Responses that have not ended yet. */
  readonly open: number
  /** Decides the fault of each request from now on. */
  fault: (operation: SeenOperation) => CountedFault | null
}

const HOST = '127.0.0.1'
const SLICE = 16 * 1024

export async function startCountingS3(): Promise<CountingS3> {
  await using started = new AsyncDisposableStack()
  const s3 = started.use(await startS3Server())
  let open = 0
  const server = createServer((req, res) => {
    open += 1
    res.once('close', () => {
      open -= 1
    })
    handle(req, res).catch(() => res.destroy())
  })
  // A long idle timeout: a request on a connection that was just closed would be counted by its sender but not here.
  server.keepAliveTimeout = 60_000
  server.listen(0, HOST)
  await once(server, 'listening')
  started.defer(() => {
    server.closeAllConnections()
    server.close()
  })
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('the counting server has no port')
  const { port } = address
  const running = started.move()
  const counting: CountingS3 = {
    ...s3,
    endpoint: `http://${HOST}:${port}`,
    port,
    requests: new Map(),
    bytes: { in: 0, out: 0 },
    get open() {
      return open
    },
    fault: () => null,
    [Symbol.asyncDispose]: () => running.disposeAsync(),
  }

  async function handle(req: IncomingMessage, res: ServerResponse): Promise<void> {
    const operation = readOperation(req)
    counting.requests.set(operation, (counting.requests.get(operation) ?? 0) + 1)
    const { answer, cutIn, end, spoil, paceMs = 0 } = counting.fault(operation) ?? {}
    let received = 0
    req.on('data', ({ length }: Buffer) => {
      counting.bytes.in += length
      received += length
      if (cutIn !== undefined && received >= cutIn) req.socket.resetAndDestroy()
    })
    if (answer?.at === 'end') await once(req, 'end')
    const given: Given = answer
      ? { ...answer, body: operation === 'head' ? [] : [Buffer.from(answer.body)] }
      : await forward(s3, req, res)
    const { status, headers, body } = spoil ? await spoilt(given, spoil) : given
    if (end?.after !== null) {
      res.writeHead(status, headers)
      for await (const slice of takeSlices(body, end?.after ?? Number.POSITIVE_INFINITY)) {
        if (paceMs > 0) await setTimeout(paceMs)
        counting.bytes.out += slice.length
        // One slice at a time: all counted bytes have left, except for this slice.
        await new Promise<void>((done, fail) => res.write(slice, (error) => (error ? fail(error) : done())))
      }
    }
    if (!end) res.end()
    else if (end.how === 'cut') req.socket.resetAndDestroy()
  }
  return counting
}

function readOperation({ method, url = '' }: IncomingMessage): SeenOperation {
  const query = new URL(url, 'http://s3').searchParams
  const ofUpload = query.has('uploadId')
  if (method === 'HEAD') return 'head'
  if (method === 'GET') return query.has('list-type') || query.has('uploads') ? 'list' : 'get'
  if (method === 'PUT') return ofUpload ? 'part' : 'put'
  if (method === 'DELETE') return ofUpload ? 'abort upload' : 'delete'
  if (method === 'POST') return ofUpload ? 'complete upload' : 'create upload'
  throw new Error(`${method} ${url} is not a request of a store`)
}

interface Given {
  readonly status: number
  readonly headers: OutgoingHttpHeaders
  readonly body: AsyncIterable<Buffer> | Iterable<Buffer>
}

async function forward(s3: S3Server, req: IncomingMessage, res: ServerResponse): Promise<Given> {
  const { method, url: path, headers } = req
  const upstream = request({ host: s3.host, port: s3.port, method, path, headers, agent: false })
  res.once('close', () => upstream.destroy())
  // Also after the head, where nothing awaits it: an unhandled error for a surplus byte would end the process.
  upstream.on('error', () => res.destroy())
  req.pipe(upstream)
  const [answer]: IncomingMessage[] = await once(upstream, 'response')
  if (!answer) throw new Error('no response')
  // Each hop has its own connections.
  const { connection, 'keep-alive': _, 'transfer-encoding': __, ...kept } = answer.headers
  return { status: answer.statusCode ?? 0, headers: kept, body: answer }
}

async function spoilt(given: Given, spoil: (body: Buffer) => Buffer): Promise<Given> {
  const bytes = spoil(Buffer.concat(await Array.fromAsync(given.body)))
  return { ...given, headers: { ...given.headers, 'content-length': String(bytes.length) }, body: [bytes] }
}

/** Yields the first bytes of a body, in pieces. */
async function* takeSlices(body: AsyncIterable<Buffer> | Iterable<Buffer>, bytes: number): AsyncIterable<Buffer> {
  let left = bytes
  for await (const chunk of body) {
    for (let at = 0; at < chunk.length && left > 0; at += SLICE) {
      const slice = chunk.subarray(at, at + Math.min(SLICE, left))
      left -= slice.length
      yield slice
    }
    if (left === 0) return
  }
}
