import type { NextRequest } from 'next/server'
import { currentApp } from '#server/current-app.ts'

/** Begins a sign-in by a passkey alone: answers what to ask the browser for. /api/auth/form/passkey takes the answer. */
export async function POST(req: NextRequest): Promise<Response> {
  const begun = await currentApp().beginPasskey(req)
  if (begun.outcome === 'begun') return Response.json(begun.options, { headers: { 'Set-Cookie': begun.cookie } })
  const { failure, headers } = begun
  return Response.json(failure, { status: failure.data.httpStatus, headers })
}
