import { cookies, headers } from 'next/headers'
import { notFound, redirect } from 'next/navigation'
import { cache } from 'react'
import { currentApp } from '#server/current-app.ts'

// As next-auth names them, for an http and an https origin.
const sessionCookies = ['next-auth.session-token', '__Secure-next-auth.session-token'] as const

/** The signed-in account of this request, as its session row stands now; null for a guest. */
export const viewerOfRequest = cache(async () => currentApp().viewerOf(await headers()))

/** Whether this request carries a session cookie. Where nobody is signed in, that session has ended. */
export async function hasSessionCookie(): Promise<boolean> {
  const jar = await cookies()
  return sessionCookies.some((name) => jar.has(name))
}

/** What the site allows: sign-up, public gallery, whether it still waits for its owner. */
export const siteOfRequest = cache(async () => currentApp().site())

/** The caller of procedures for this request: access and limits are theirs to decide, as for any other call. */
export const callerOfRequest = async () => currentApp().callerFor(await headers())

/** The viewer, or a redirect: to the set-up of a new site, else to sign in and back to `path`. */
export async function requireViewer(path: string) {
  const viewer = await viewerOfRequest()
  if (viewer) return viewer
  const site = await siteOfRequest()
  redirect(site.setupNeeded ? '/setup' : `/signin?next=${encodeURIComponent(path)}`)
}

/** The viewer if it is an admin; everybody else learns nothing, not even that the page exists. */
export async function requireAdmin(path: string) {
  const viewer = await requireViewer(path)
  if (viewer.role === 'user') notFound()
  return viewer
}

/** The viewer if it is a superadmin; to everybody else the page does not exist. */
export async function requireSuperadmin(path: string) {
  const viewer = await requireViewer(path)
  if (viewer.role !== 'superadmin') notFound()
  return viewer
}
