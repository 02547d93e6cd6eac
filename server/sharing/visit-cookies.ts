import { VISIT_MS } from './visits.ts'

const isSecure = (origin: string): boolean => origin.startsWith('https:')

export const visitCookieName = (origin: string): string => `${isSecure(origin) ? '__Secure-' : ''}sluice.visit`

/** Returns the Set-Cookie headers of a visit: one for the share's page, one for the addresses of its bytes, and none for anything
 *  else. */
export function visitCookies(origin: string, visit: string, paths: readonly string[]): readonly string[] {
  const attributes = `Max-Age=${VISIT_MS / 1000}; HttpOnly; SameSite=Lax${isSecure(origin) ? '; Secure' : ''}`
  return paths.map((path) => `${visitCookieName(origin)}=${visit}; Path=${path}; ${attributes}`)
}
