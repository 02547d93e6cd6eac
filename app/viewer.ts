import { cookies, headers } from 'next/headers'
import { notFound, redirect } from 'next/navigation'
import { cache } from 'react'
import { currentApp } from '#server/current-app.ts'

// next-auth's names, for an http and an https origin.
const sessionCookies = ['next-auth.session-token', '__Secure-next-auth.session-token'] as const

/** Returns the signed-in account of this request by its current session row; null for a guest. */
export const viewerOfRequest = cache(async () => currentApp().findViewer(await headers()))

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

/** Returns the viewer if it is a superadmin. For everybody else the page does not exist. */
export async function requireSuperadmin(path: string) {
  const viewer = await requireViewer(path)
  if (viewer.role !== 'superadmin') notFound()
  return viewer
}
