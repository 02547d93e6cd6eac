import { once } from 'node:events'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { STATUS_CODES } from 'node:http'
import { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import type { Services } from '#server/services.ts'
import { acceptsPage } from './accepts-page.ts'
import type { AddressReader } from './client-address.ts'
import { countInvalid } from './invalid-request.ts'
import { problemDocument } from './problem-document.ts'
import { requestLocale } from './request-locale.ts'
import { securityHeaders } from './security-headers.ts'
import type { Sentence } from './sentence.ts'
import type { SiteName } from './site-name.ts'
import { endConnection } from './unread-body.ts'

/** Node's codes for requests that its parser does not pass on; every other one is 400. */
const STATUSES: Readonly<Record<string, number>> = {
  ERR_HTTP_REQUEST_TIMEOUT: 408,
  HPE_CHUNK_EXTENSIONS_OVERFLOW: 413,
  HPE_HEADER_OVERFLOW: 431,
}

const SENTENCES: Readonly<Record<number, Sentence>> = {
  408: (say) => say('http.tooSlow'),
  431: (say) => say('http.headTooLarge'),
}

interface Malformed {
  readonly code?: string | undefined
  /** What Node was parsing: the beginning of a head, unless it came in parts. */
  readonly rawPacket?: Buffer | undefined
}

/**
 * Answers what Node's parser refuses, as Node would, but after the answers to the requests before it, with the site's
 * security headers and at the address's expense: beyond its limit the connection is closed without an answer. Closes the
 * connection even if the client keeps sending.
 */
export function answerMalformed(
  { limiter, site }: Pick<Services, 'limiter' | 'site'>,
  addresses: AddressReader,
  { secure }: { readonly secure: boolean },
): (problem: Malformed, socket: Duplex) => void {
  const answer = async ({ code = '', rawPacket }: Malformed, socket: Socket) => {
    // What follows is not read: it could be parsed as the rest of a head that has already been refused.
    socket.pause()
    const address = addresses.peer(socket)
    const isAllowed = address === null || (await countInvalid(limiter, address)).allowed
    if (!isAllowed) return void socket.destroy()
    await answersBefore(socket)
    if (!socket.writable || isAnswered(socket)) return void socket.destroy()
    const status = STATUSES[code] ?? 400
    const page = makePage(status, rawPacket, site.read())
    const headers = {
      Connection: 'close',
      'Content-Length': Buffer.byteLength(page?.html ?? ''),
      ...securityHeaders({ secure }),
      ...page?.headers,
    }
    const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`)
    const head = `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join('\r\n')}\r\n\r\n`
    endConnection(socket, `${head}${page?.html ?? ''}`)
  }
  return (problem, socket) => {
    // Without a listener, a reset would end the process: Node has removed its own.
    socket.on('error', () => undefined)
    if (socket instanceof Socket) answer(problem, socket).catch(() => socket.destroy())
    else socket.destroy()
  }
}

/** Returns a page for a browser, such as one that sends more cookies than a head may hold; null for all others. */
function makePage(status: number, rawPacket: Buffer | undefined, site: SiteName) {
  const head = rawPacket?.toString('latin1') ?? ''
  const read = (name: string) => new RegExp(`^${name}:[ \\t]*([^\\r\\n]*)`, 'im').exec(head)?.[1]
  if (!head.startsWith('GET ') || !acceptsPage({ headers: { accept: read('accept') } })) return null
  const locale = requestLocale({ cookie: read('cookie'), 'accept-language': read('accept-language') })
  const sentence: Sentence = SENTENCES[status] ?? ((say) => say('http.malformed'))
  const { html, policy } = problemDocument({ status, sentence, locale, site })
  const headers = { 'Content-Type': 'text/html; charset=utf-8', 'Content-Security-Policy': policy }
  return { html, headers: { ...headers, 'Content-Language': locale, 'Cache-Control': 'no-store' } }
}

/** A connection, Node's answer to the oldest of its requests that has not been answered, and the request being received. */
type Answering = Socket & {
  readonly _httpMessage?: ServerResponse | null
  readonly parser?: { readonly incoming?: IncomingMessage | null } | null
}

/** Waits for the answers to whole requests, of which a client may send several at a time. */
async function answersBefore(socket: Answering): Promise<void> {
  for (let before = socket._httpMessage; before?.req.complete; before = socket._httpMessage) await once(before, 'close')
}

/** Whether the request has an answer, or part of one: a client would read a second one as its end, or as the answer to the
 *  next request. */
function isAnswered({ _httpMessage: answer, parser }: Answering): boolean {
  return answer ? answer.headersSent : parser?.incoming?.complete === false
}
