import type { NextRequest } from 'next/server'
import { writeFailure } from '#app/entry/failure-cookie.ts'
import { safePath } from '#app/shell/safe-path.ts'
import { translate } from '#messages/translate.ts'
import { currentApp } from '#server/current-app.ts'

type RouteContext = { params: Promise<{ provider: string; step: string }> }

export const dynamic = 'force-dynamic'

/** Leads a browser to an OpenID provider, and takes it back: plain links and redirects, which need no script. */
export async function GET(req: NextRequest, { params }: RouteContext): Promise<Response> {
  const { provider, step } = await params
  if (step !== 'start' && step !== 'callback')
    return Response.json({ error: translate('http.authNotFound') }, { status: 404 })
  // From the address as it was asked for: behind a proxy, its host is not the site's, and is not used.
  const { searchParams: query } = new URL(req.url)
  const next = safePath(query.get('next'))
  const outcome = await currentApp().takeRoundStep({ provider, step, query, next }, req.headers)
  const headers = new Headers(outcome.cookies.map((cookie) => ['Set-Cookie', cookie]))
  // The address of a callback holds a code.
  headers.set('Referrer-Policy', 'no-referrer')
  if (outcome.outcome === 'failed') {
    const { page, failure } = outcome
    headers.append('Set-Cookie', writeFailure(page, { failure, username: '' }))
    return redirect(`${page}?${new URLSearchParams({ next: outcome.next })}`, headers)
  }
  if (step === 'callback') headers.append('Set-Cookie', writeFailure('/signin', null))
  return redirect(outcome.location, headers)
}

function redirect(location: string, headers: Headers): Response {
  headers.set('Location', location)
  return new Response(null, { status: 303, headers })
}
