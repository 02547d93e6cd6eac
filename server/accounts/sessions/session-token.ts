import type { IncomingHttpHeaders } from 'node:http'
import { decode } from 'next-auth/jwt'
import { z } from 'zod'

const claims = z.object({ sessionId: z.string() })

/** The name next-auth gives its session cookie: the `__Secure-` prefix goes with an https origin. */
export function sessionCookieName(origin: string): string {
  return origin.startsWith('https:') ? '__Secure-next-auth.session-token' : 'next-auth.session-token'
}

/** The session row's id in the request's cookie, or null: no cookie, a forged one, an expired one. */
export async function sessionIdOf(
  headers: IncomingHttpHeaders,
  config: { origin: string; secret: string },
): Promise<string | null> {
  const token = cookieOf(headers.cookie, sessionCookieName(config.origin))
  if (!token) return null
  const payload = await decode({ token, secret: config.secret }).catch(() => null)
  return claims.safeParse(payload).data?.sessionId ?? null
}

function cookieOf(header: string | undefined, name: string): string | undefined {
  const pair = header?.split(/;\s*/).find((part) => part.startsWith(`${name}=`))
  return pair?.slice(name.length + 1)
}
