import type { IncomingHttpHeaders } from 'node:http'
import { decode, encode } from 'next-auth/jwt'
import { z } from 'zod'

const claims = z.object({ sessionId: z.string() })

/** Returns next-auth's name for its session cookie, which has the `__Secure-` prefix for an https origin. */
export function sessionCookieName(origin: string): string {
  return origin.startsWith('https:') ? '__Secure-next-auth.session-token' : 'next-auth.session-token'
}

interface Site {
  readonly origin: string
  readonly secret: string
}

interface OpenedSession {
  readonly userId: string
  readonly username: string
  readonly sessionId: string
}

/** Returns the Set-Cookie header of a session that lasts for `seconds`: the cookie that next-auth writes. */
export async function createSessionCookie(site: Site, session: OpenedSession, seconds: number): Promise<string> {
  const token = { sub: session.userId, name: session.username, sessionId: session.sessionId }
  const value = await encode({ token, secret: site.secret, maxAge: seconds })
  const secure = site.origin.startsWith('https:') ? '; Secure' : ''
  return `${sessionCookieName(site.origin)}=${value}; Path=/; Max-Age=${seconds}; HttpOnly; SameSite=Lax${secure}`
}

/** Returns the ID of the session in the request's cookie; null without a cookie, or if it is forged or expired. */
export async function readSessionId(headers: IncomingHttpHeaders, config: Site): Promise<string | null> {
  const token = readCookie(headers.cookie, sessionCookieName(config.origin))
  if (!token) return null
  const payload = await decode({ token, secret: config.secret }).catch(() => null)
  return claims.safeParse(payload).data?.sessionId ?? null
}

/** Returns whether a request carries a session cookie, which may have ended. */
export const hasSessionCookie = ({ headers }: { readonly headers: IncomingHttpHeaders }): boolean =>
  ['http:', 'https:'].some((origin) => readCookie(headers.cookie, sessionCookieName(origin)))

/** Returns the value of a cookie in a request's Cookie header. */
export function readCookie(header: string | undefined, name: string): string | undefined {
  const pair = header?.split(/;\s*/).find((part) => part.startsWith(`${name}=`))
  return pair?.slice(name.length + 1)
}
