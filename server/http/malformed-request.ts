import type { ServerResponse } from 'node:http'
import { STATUS_CODES } from 'node:http'
import { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import type { Services } from '#server/services.ts'
import type { AddressReader } from './client-address.ts'
import { countInvalid } from './invalid-request.ts'
import { securityHeaders } from './security-headers.ts'

/** Node's codes for requests that its parser does not pass on; every other one is 400. */
const STATUSES: Readonly<Record<string, number>> = {
  ERR_HTTP_REQUEST_TIMEOUT: 408,
  HPE_CHUNK_EXTENSIONS_OVERFLOW: 413,
  HPE_HEADER_OVERFLOW: 431,
}

/** Answers what Node's parser refuses, as Node would, but with the site's security headers and at the address's expense: beyond
 *  its limit the connection is closed without an answer. */
export function answerMalformed(
  { limiter }: Pick<Services, 'limiter'>,
  addresses: AddressReader,
  { secure }: { readonly secure: boolean },
): (error: NodeJS.ErrnoException, socket: Duplex) => void {
  const answer = async ({ code = '' }: NodeJS.ErrnoException, socket: Socket) => {
    const address = addresses.peer(socket)
    const isAllowed = address === null || (await countInvalid(limiter, address)).allowed
    if (!isAllowed || !socket.writable || hasBegun(socket)) return void socket.destroy()
    const status = STATUSES[code] ?? 400
    const headers = { Connection: 'close', 'Content-Length': '0', ...securityHeaders({ secure }) }
    const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`)
    socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join('\r\n')}\r\n\r\n`)
  }
  return (error, socket) => {
    if (socket instanceof Socket) answer(error, socket).catch(() => socket.destroy())
    else socket.destroy()
  }
}

/** Whether an answer is being sent on the connection: a second one would be read as its end. */
function hasBegun(socket: Socket & { readonly _httpMessage?: ServerResponse | null }): boolean {
  return socket._httpMessage?.headersSent === true
}
