import type { IncomingMessage, ServerResponse } from 'node:http'
import { writeProblem } from './answers.ts'

/** Why no handler accepts a request that Node has parsed. */
export type HeadProblem = 'host' | 'badHost' | 'target' | 'trace'

export function findHeadProblem({ method, url = '/', headers, httpVersion }: IncomingMessage): HeadProblem | null {
  // RFC 9112, 3.2. Neither can be without a host in HTTP/1.1, nor with what is none: tRPC and Next make a URL of it.
  if (!headers.host && httpVersion === '1.1') return 'host'
  if (headers.host && !isHost(headers.host)) return 'badHost'
  if (!url.startsWith('/')) return 'target'
  // Would send a request's credentials back (RFC 9110, 9.3.8). A Request, which tRPC and Next make, cannot have this method.
  return method === 'TRACE' ? 'trace' : null
}

const isHost = (text: string): boolean => !/[@/\\?#]/.test(text) && URL.canParse(`http://${text}`)

const answers = {
  host: [400, 'http.hostRequired', {}],
  badHost: [400, 'http.badHost', {}],
  target: [400, 'http.badTarget', {}],
  trace: [405, 'http.noTrace', { Allow: 'GET, HEAD, POST' }],
} as const

export function answerHeadProblem(res: ServerResponse, problem: HeadProblem): void {
  const [status, message, headers] = answers[problem]
  writeProblem(res, status, (say) => say(message), headers)
}
