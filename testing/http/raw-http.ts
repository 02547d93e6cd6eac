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
    const found = parseAnswer(read, 'GET')
    if (found === null) return
    resolve(found.answer)
    socket.destroy()
  })
  socket.once('error', reject)
  socket.once('close', () => reject(new Error(`no whole answer: ${read.toString('latin1')}`)))
  socket.write(Buffer.concat(pieces.map((piece) => Buffer.from(piece))))
  return promise
}

/** Parses the responses of a connection that has ended, to requests of these methods; a method that is missing is GET. `rest` is
 *  what follows the last whole response. */
export function parseAnswers(
  bytes: Buffer,
  methods: readonly string[],
): { readonly answers: readonly RawAnswer[]; readonly rest: Buffer } {
  const answers: RawAnswer[] = []
  let rest = bytes
  for (
    let found = parseAnswer(rest, methods[0], true);
    found;
    found = parseAnswer(rest, methods[answers.length], true)
  ) {
    answers.push(found.answer)
    rest = found.rest
  }
  return { answers, rest }
}

/** Parses an HTTP/1.1 response with a length or in chunks; null while it is incomplete. Skips interim responses. */
function parseAnswer(
  bytes: Buffer,
  method: string | undefined,
  hasEnded = false,
): { answer: RawAnswer; rest: Buffer } | null {
  const end = bytes.indexOf('\r\n\r\n')
  if (end < 0) return null
  const [first = '', ...lines] = bytes.toString('latin1', 0, end).split('\r\n')
  const status = Number(first.split(' ')[1])
  const rest = bytes.subarray(end + 4)
  if (status === 100) return parseAnswer(rest, method, hasEnded)
  const headers = Object.fromEntries(
    lines.map((line) => [line.slice(0, line.indexOf(':')).toLowerCase(), line.slice(line.indexOf(':') + 1).trim()]),
  )
  const hasBody = method !== 'HEAD' && status !== 204 && status !== 304
  const isChunked = headers['transfer-encoding'] === 'chunked'
  // Without a length, a body ends with its connection.
  const length = hasBody ? Number(headers['content-length'] ?? (hasEnded ? rest.length : 0)) : 0
  const found = hasBody && isChunked ? unchunked(rest) : sized(rest, length)
  return found && { answer: { status, headers, body: found.body.toString() }, rest: found.rest }
}

interface Found {
  readonly body: Buffer
  readonly rest: Buffer
}

const sized = (bytes: Buffer, length: number): Found | null =>
  bytes.length < length ? null : { body: bytes.subarray(0, length), rest: bytes.subarray(length) }

function unchunked(bytes: Buffer): Found | null {
  const chunks: Buffer[] = []
  for (let at = 0; ; ) {
    const line = bytes.indexOf('\r\n', at)
    if (line < 0) return null
    const length = Number.parseInt(bytes.toString('latin1', at, line), 16)
    const next = line + 2 + length + 2
    if (bytes.length < next) return null
    if (length === 0) return { body: Buffer.concat(chunks), rest: bytes.subarray(next) }
    chunks.push(bytes.subarray(line + 2, line + 2 + length))
    at = next
  }
}
