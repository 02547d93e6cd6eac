import type { ServerResponse } from 'node:http'
import { hasSessionCookie } from '#server/accounts/sessions/session-token.ts'
import { problemDocument } from './problem-document.ts'
import { requestLocale } from './request-locale.ts'
import type { Sentence } from './sentence.ts'
import { siteName } from './site-name.ts'

interface ProblemAnswer {
  readonly status: number
  readonly sentence: Sentence
  /** The headers of the answer for programs. */
  readonly headers: Readonly<Record<string, string>>
  readonly requestId?: string | undefined
}

/** Writes a problem as a page in the reader's language, with the headers of the answer for programs. Caches must not store it. */
export function writeProblemPage(res: ServerResponse, { status, sentence, headers, requestId }: ProblemAnswer): void {
  // By which superadmins find a refusal.
  const quoted = requestId ?? (status === 429 ? res.getHeader('X-Request-Id')?.toString() : undefined)
  const { method, url = '', headers: asked } = res.req
  const theme = /(?:^|;\s*)sluice-theme=(light|dark)(?:;|$)/.exec(asked.cookie ?? '')?.[1]
  const locale = requestLocale(asked)
  // What was posted is not sent again.
  const waitSeconds = method === 'GET' || method === 'HEAD' ? Number(headers['Retry-After'] ?? 0) : 0
  // As app/not-found.tsx says it, unless the answer knows more.
  const text: Sentence = status === 404 && !url.startsWith('/api/') ? (say) => say('shell.notFoundText') : sentence
  const { html, policy } = problemDocument({
    status,
    sentence: text,
    locale,
    site: siteName(res),
    theme,
    waitSeconds,
    requestId: quoted,
    offersSignIn: status === 404 && !hasSessionCookie(res.req),
  })
  const own = {
    'Content-Type': 'text/html; charset=utf-8',
    'Content-Security-Policy': policy,
    'Content-Language': locale,
    'Cache-Control': 'no-store',
    'Content-Length': Buffer.byteLength(html),
  }
  res.writeHead(status, { ...headers, ...own }).end(html)
}
