import type { IncomingHttpHeaders } from 'node:http'
import { decode } from 'next-auth/jwt'
import { z } from 'zod'

const claims = z.object({ sessionId: z.string() })

/** Returns next-auth's name for its session cookie, which has the `__Secure-` prefix for an https origin. */
export function sessionCookieName(origin: string): string {
  return origin.startsWith('https:') ? '__Secure-next-auth.session-token' : 'next-auth.session-token'
}

/** Returns the ID of the session in the request's cookie; null without a cookie, or if it is forged or expired. */
export async function readSessionId(
  headers: IncomingHttpHeaders,
  config: { origin: string; secret: string },
): Promise<string | null> {
  const token = readCookie(headers.cookie, sessionCookieName(config.origin))
  if (!token) return null
  const payload = await decode({ token, secret: config.secret }).catch(() => null)
  return claims.safeParse(payload).data?.sessionId ?? null
}

/** Returns the value of a cookie in a request's Cookie header. */
export function readCookie(header: string | undefined, name: string): string | undefined {
  const pair = header?.split(/;\s*/).find((part) => part.startsWith(`${name}=`))
  return pair?.slice(name.length + 1)
}
