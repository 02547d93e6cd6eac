import type { Translate } from '#app/ui/translate.ts'

/** A failed sign-out. */
class SignOutFailed extends Error {
  override name = 'SignOutFailed'
  /** Marks the message as a sentence for the reader. */
  readonly data = {}
}

/** Ends this browser's session and goes to the sign-in page, or to the provider that it was opened by, which ends its own and leads there.
 *  Throws SignOutFailed. */
export async function signOut(t: Translate<'signIn'>): Promise<void> {
  const answer = await post('/api/auth/signout', { callbackUrl: '/' })
  if (!answer.ok) throw new SignOutFailed(t('signOutFailed'))
  const content: unknown = await answer.json().catch(() => null)
  const provider = content instanceof Object && 'provider' in content ? content.provider : null
  leaveTo(typeof provider === 'string' ? provider : '/signin')
}

/** Navigates with a full page load, so that nothing of the previous account stays in memory. */
export function leaveTo(path: string): void {
  window.location.assign(path)
}

async function post(path: string, fields: Record<string, string>): Promise<Response> {
  const token: unknown = await fetch('/api/auth/csrf').then((answer) => answer.json())
  const csrfToken = typeof token === 'object' && token !== null && 'csrfToken' in token ? String(token.csrfToken) : ''
  return fetch(path, { method: 'POST', body: new URLSearchParams({ ...fields, csrfToken, json: 'true' }) })
}
