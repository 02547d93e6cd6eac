import type { NextRequest } from 'next/server'
import NextAuth, { type AuthOptions } from 'next-auth'
import Credentials from 'next-auth/providers/credentials'
import { currentApp } from '#server/current-app.ts'
import type { SignInAnswer } from '#server/http/page-bridge.ts'

type Refused = Extract<SignInAnswer, { outcome: 'refused' }>
type RouteContext = { params: Promise<{ nextauth: string[] }> }

export const dynamic = 'force-dynamic'

export const POST = async (req: NextRequest, ctx: RouteContext): Promise<Response> => {
  const refused: Refused[] = []
  const answer: Response = await NextAuth(
    req,
    ctx,
    options(req, (outcome) => refused.push(outcome)),
  )
  const [refusal] = refused
  return refusal ? Response.json(refusal.body, { status: refusal.status, headers: refusal.headers }) : answer
}

export const GET = async (req: NextRequest, ctx: RouteContext): Promise<Response> => {
  const { nextauth } = await ctx.params
  // next-auth would answer from the token alone; the session row decides.
  if (nextauth[0] === 'session' && !(await currentApp().viewerOf(req.headers))) return Response.json({})
  return NextAuth(
    req,
    ctx,
    options(req, () => undefined),
  )
}

/** Made for each request, so that a refused sign-in can be told from a wrong one in its own answer. */
function options(req: NextRequest, onRefused: (outcome: Refused) => void): AuthOptions {
  const app = currentApp()
  return {
    secret: app.secret,
    session: { strategy: 'jwt', maxAge: 30 * 24 * 60 * 60 },
    pages: { signIn: '/signin', signOut: '/signin', error: '/signin' },
    providers: [
      Credentials({
        credentials: { username: { label: 'User name' }, password: { label: 'Password', type: 'password' } },
        authorize: async (credentials) => {
          const outcome = await app.signIn({
            username: (credentials?.username ?? '').slice(0, 100),
            password: (credentials?.password ?? '').slice(0, 1000),
            address: req.headers.get('x-sluice-address') ?? '0.0.0.0',
            userAgent: req.headers.get('user-agent') ?? '',
          })
          if (outcome.outcome === 'refused') onRefused(outcome)
          return outcome.outcome === 'signed-in'
            ? { id: outcome.userId, name: outcome.username, sessionId: outcome.sessionId }
            : null
        },
      }),
    ],
    callbacks: {
      jwt: ({ token, user }) => (user ? { sub: user.id, name: user.name ?? null, sessionId: user.sessionId } : token),
      session: ({ session, token }) => ({ user: { name: token.name ?? null }, expires: session.expires }),
    },
    events: {
      signOut: async ({ token }) => {
        if (token.sub && token.sessionId) await app.signOut({ userId: token.sub, sessionId: token.sessionId })
      },
    },
  }
}
