import type { NextRequest } from 'next/server'
import NextAuth, { type AuthOptions } from 'next-auth'
import Credentials from 'next-auth/providers/credentials'
import { z } from 'zod'
import { translate } from '#messages/translate.ts'
import { currentApp } from '#server/current-app.ts'
import type { SignInAnswer } from '#server/http/pages/page-bridge.ts'

type RouteContext = { params: Promise<{ nextauth: string[] }> }

export const dynamic = 'force-dynamic'

/** The endpoints of next-auth that are served. The others are not needed and fail with 500. */
const ANSWERED = {
  GET: ['csrf', 'session', 'providers', 'signin', 'signout', 'error'],
  POST: ['callback/credentials', 'signin/credentials', 'signout', 'session'],
}

export const GET = (req: NextRequest, ctx: RouteContext) => answer('GET', req, ctx)
export const POST = (req: NextRequest, ctx: RouteContext) => answer('POST', req, ctx)

async function answer(method: 'GET' | 'POST', req: NextRequest, ctx: RouteContext): Promise<Response> {
  const endpoint = (await ctx.params).nextauth.join('/')
  if (!ANSWERED[method].includes(endpoint))
    return Response.json({ error: translate('http.authNotFound') }, { status: 404 })
  if (method === 'POST' && !(await isReadable(req)))
    return Response.json({ error: translate('http.badJson') }, { status: 400 })
  const app = currentApp()
  // next-auth would answer from the token alone, but the session row decides.
  if (endpoint === 'session' && !(await app.findViewer(req.headers))) return Response.json({})
  // Runs before the cookie is cleared, because next-auth swallows failures of its own event.
  const provider = endpoint === 'signout' && method === 'POST' ? await app.signOut(req.headers) : null
  if (provider === false) {
    return Response.json({ error: translate('http.signOutFailed') }, { status: 503, headers: { 'Retry-After': '5' } })
  }
  const outcomes: SignInAnswer[] = []
  const response: Response = await NextAuth(
    req,
    ctx,
    options(req, (outcome) => outcomes.push(outcome)),
  )
  const [outcome] = outcomes
  if (outcome?.outcome === 'refused')
    return Response.json(outcome.body, { status: outcome.status, headers: outcome.headers })
  if (outcome?.outcome === 'signed-in') response.headers.append('Set-Cookie', outcome.deviceCookie)
  // Where the session's provider ends its own. next-auth's answer has the cookies that end this one.
  return provider ? Response.json({ provider }, { headers: withoutBody(response.headers) }) : response
}

function withoutBody(headers: Headers): Headers {
  const kept = new Headers(headers)
  for (const name of ['content-length', 'content-type', 'location']) kept.delete(name)
  return kept
}

/** Returns whether next-auth can read the body: invalid JSON makes it fail. */
async function isReadable(req: NextRequest): Promise<boolean> {
  if (!req.headers.get('content-type')?.includes('application/json')) return true
  return req
    .clone()
    .json()
    .then(
      () => true,
      () => false,
    )
}

const credentialsSchema = z.object({ username: z.string(), password: z.string() })

/** Created for each request, so that its answer can distinguish a refused sign-in from a wrong password. */
function options(req: NextRequest, onOutcome: (outcome: SignInAnswer) => void): AuthOptions {
  const app = currentApp()
  return {
    secret: app.secret,
    session: { strategy: 'jwt', maxAge: app.sessionSeconds },
    pages: { signIn: '/signin', signOut: '/signin', error: '/signin' },
    logger: { error: app.logAuth, warn: app.logAuth, debug: () => undefined },
    providers: [
      Credentials({
        credentials: { username: {}, password: {} },
        authorize: async (input) => {
          const credentials = credentialsSchema.safeParse(input).data
          if (!credentials) return null
          const outcome = await app.signIn({
            username: credentials.username.slice(0, 100),
            password: credentials.password.slice(0, 1000),
            address: req.headers.get('x-sluice-address') ?? '0.0.0.0',
            userAgent: req.headers.get('user-agent') ?? '',
            requestId: req.headers.get('x-sluice-request-id') ?? undefined,
            cookie: req.headers.get('cookie') ?? undefined,
            signal: req.signal,
          })
          onOutcome(outcome)
          return outcome.outcome === 'signed-in'
            ? { id: outcome.userId, name: outcome.username, sessionId: outcome.sessionId }
            : null
        },
      }),
    ],
    callbacks: {
      jwt: ({ token, user }) => (user ? { sub: user.id, name: user.name ?? null, sessionId: user.sessionId } : token),
      session: ({ session, token }) => ({ user: { name: token.name ?? null }, expires: session.expires }),
      redirect: ({ url, baseUrl }) => {
        const target = URL.canParse(url, baseUrl) ? new URL(url, baseUrl) : null
        return target?.origin === baseUrl ? target.href : baseUrl
      },
    },
  }
}
