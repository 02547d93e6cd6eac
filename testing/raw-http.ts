import { connect } from 'node:net'

export interface RawAnswer {
  readonly status: number
  /** By name in lower case. */
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

/** Sends raw bytes and reads one response, like a client in any language. */
export function sendRaw(origin: string, ...pieces: readonly (string | Buffer)[]): Promise<RawAnswer> {
  const { promise, resolve, reject } = Promise.withResolvers<RawAnswer>()
  const socket = connect(Number(new URL(origin).port), '127.0.0.1')
  let read = Buffer.alloc(0)
  socket.on('data', (chunk) => {
    read = Buffer.concat([read, chunk])
    const answer = parseAnswer(read)
    if (answer === null) return
    resolve(answer)
    socket.destroy()
  })
  socket.once('error', reject)
  socket.once('close', () => reject(new Error(`no whole answer: ${read.toString('latin1')}`)))
  socket.write(Buffer.concat(pieces.map((piece) => Buffer.from(piece))))
  return promise
}

/** Parses an HTTP/1.1 response with a length or in chunks; null while it is incomplete. Skips interim responses. */
function parseAnswer(bytes: Buffer): RawAnswer | null {
  const end = bytes.indexOf('\r\n\r\n')
  if (end < 0) return null
  const [first = '', ...lines] = bytes.toString('latin1', 0, end).split('\r\n')
  const status = Number(first.split(' ')[1])
  const rest = bytes.subarray(end + 4)
  if (status === 100) return parseAnswer(rest)
  const headers = Object.fromEntries(
    lines.map((line) => [line.slice(0, line.indexOf(':')).toLowerCase(), line.slice(line.indexOf(':') + 1).trim()]),
  )
  const body =
    headers['transfer-encoding'] === 'chunked' ? unchunked(rest) : sized(rest, Number(headers['content-length'] ?? 0))
  return body && { status, headers, body: body.toString() }
}

const sized = (rest: Buffer, length: number): Buffer | null => (rest.length < length ? null : rest.subarray(0, length))

function unchunked(rest: Buffer): Buffer | null {
  const chunks: Buffer[] = []
  for (let at = 0; ; ) {
    const line = rest.indexOf('\r\n', at)
    if (line < 0) return null
    const length = Number.parseInt(rest.toString('latin1', at, line), 16)
    if (rest.length < line + 2 + length + 2) return null
    if (length === 0) return Buffer.concat(chunks)
    chunks.push(rest.subarray(line + 2, line + 2 + length))
    at = line + 2 + length + 2
  }
}
