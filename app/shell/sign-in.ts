import type { Translate } from '#app/ui/translate.ts'

/** A failed sign-in or sign-out. Its message is a sentence for the reader; `limit` is set if a limit refused it. */
export class SignInFailed extends Error {
  override name = 'SignInFailed'
  /** Marks the message as a sentence for the reader. */
  readonly data: { readonly limit: unknown }

  constructor(message: string, limit: unknown = null) {
    super(message)
    this.data = { limit }
  }
}

/** Signs in with next-auth's credentials. Throws SignInFailed, which never reveals whether the account exists. */
export async function submitSignIn(username: string, password: string, t: Translate<'signIn'>): Promise<void> {
  const answer = await post('/api/auth/callback/credentials', { username, password, callbackUrl: '/' })
  if (answer.ok && !(await answerText(answer)).includes('error=')) return
  if (answer.status === 429) {
    const body: unknown = await answer.json().catch(() => null)
    const limit = typeof body === 'object' && body !== null && 'limit' in body ? body.limit : null
    throw new SignInFailed(t('tooMany'), limit)
  }
  if (answer.status === 503) throw new SignInFailed(t('busy'))
  if (answer.status >= 500) throw new SignInFailed(t('fault'))
  throw new SignInFailed(t('wrong'))
}

/** Ends this browser's session and goes to the sign-in page. Throws SignInFailed. */
export async function signOut(t: Translate<'signIn'>): Promise<void> {
  const answer = await post('/api/auth/signout', { callbackUrl: '/' })
  if (!answer.ok) throw new SignInFailed(t('signOutFailed'))
  leaveTo('/signin')
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

async function answerText(answer: Response): Promise<string> {
  return answer.text().catch(() => '')
}
