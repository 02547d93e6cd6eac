import { cookies, headers } from 'next/headers'
import { notFound, redirect } from 'next/navigation'
import { cache } from 'react'
import { currentApp } from '#server/current-app.ts'

// next-auth's names, for an http and an https origin.
const sessionCookies = ['next-auth.session-token', '__Secure-next-auth.session-token'] as const

/** Returns the account of this request by its current session row, even one that may do nothing yet; null for a guest. For the frame
 *  of pages and what leads out of that state. */
export const sessionOfRequest = cache(async () => currentApp().findViewer(await headers()))

/** Returns the signed-in account of this request; null for a guest. Redirects one that has to set up a second factor first. */
export const viewerOfRequest = cache(async () => {
  const viewer = await sessionOfRequest()
  if (viewer?.needsFactor) redirect('/signin/factor')
  return viewer
})

/** Whether this request carries a session cookie. If it has no viewer, that session has ended. */
export async function hasSessionCookie(): Promise<boolean> {
  const jar = await cookies()
  return sessionCookies.some((name) => jar.has(name))
}

/** Returns what the site allows: sign-up, public gallery, and whether it still needs an owner. */
export const siteOfRequest = cache(async () => currentApp().site())

/**
 * Returns the caller of procedures for this request. Procedures decide access and charge limits as for any other call.
 */
export const callerOfRequest = async () => currentApp().callerFor(await headers())

/**
 * Returns what a call of the caller answers; what the limit that refused it says, for the page to count down the wait.
 * Responds not found if the viewer may not see what was asked for.
 */
export async function unlessRefused<Value>(call: Promise<Value>) {
  try {
    return { value: await call, limit: null }
  } catch (error) {
    const limit = currentApp().refusalIn(error)
    // In whole seconds, so that the countdown is the same in the page and in its script.
    if (limit) return { value: null, limit: { ...limit, retryAfterMs: Math.ceil(limit.retryAfterMs / 1000) * 1000 } }
    if (isMissing(error)) notFound()
    throw error
  }
}

/** Returns what a call of the caller answers; null if there is nothing there that the viewer may see. */
export async function orNull<Value>(call: Promise<Value>): Promise<Value | null> {
  try {
    return await call
  } catch (error) {
    if (isMissing(error)) return null
    throw error
  }
}

/** An address that is none, because of its form, is one of nothing too. */
function isMissing(error: unknown): boolean {
  const code = typeof error === 'object' && error !== null && 'code' in error ? error.code : null
  return code === 'NOT_FOUND' || code === 'BAD_REQUEST'
}

/** Returns the viewer, or redirects: to the setup of a new site, otherwise to the sign-in page and back to `path`. */
export async function requireViewer(path: string) {
  const viewer = await viewerOfRequest()
  if (viewer) return viewer
  const site = await siteOfRequest()
  redirect(site.setupNeeded ? '/setup' : `/signin?next=${encodeURIComponent(path)}`)
}

/** Returns the viewer if it is an admin. For everybody else the page does not exist. */
export async function requireAdmin(path: string) {
  const viewer = await requireViewer(path)
  if (viewer.role === 'user') notFound()
  return viewer
}

/** The same for what an account of several people may not see. */
export async function requirePersonalAdmin(path: string) {
  const viewer = await requireAdmin(path)
  if (viewer.shared) notFound()
  return viewer
}

/** Returns the viewer if it is a superadmin. For everybody else the page does not exist. */
export async function requireSuperadmin(path: string) {
  const viewer = await requireViewer(path)
  if (viewer.role !== 'superadmin') notFound()
  return viewer
}
