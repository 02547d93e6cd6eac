/** A sign-in or sign-out that did not work. `limit` is there when a limit refused it. */
export class SignInFailed extends Error {
  override name = 'SignInFailed'
  /** Marks the message as written for the reader. */
  readonly data: { readonly limit: unknown }

  constructor(message: string, limit: unknown = null) {
    super(message)
    this.data = { limit }
  }
}

/** Signs in with next-auth's credentials. Throws SignInFailed; whether the account exists is never told. */
export async function signIn(username: string, password: string): Promise<void> {
  const answer = await post('/api/auth/callback/credentials', { username, password, callbackUrl: '/' })
  if (answer.ok && !(await answerText(answer)).includes('error=')) return
  if (answer.status === 429) {
    const body: unknown = await answer.json().catch(() => null)
    const limit = typeof body === 'object' && body !== null && 'limit' in body ? body.limit : null
    throw new SignInFailed('Too many tries. Wait a little, then sign in again.', limit)
  }
  if (answer.status === 503) throw new SignInFailed('Many people are signing in. Try again in a few seconds.')
  if (answer.status >= 500) throw new SignInFailed('Something went wrong on our side. Try again.')
  throw new SignInFailed(
    'The user name or the password is not right. If you forgot it, whoever runs this site can give you a new password.',
  )
}

/** Ends this browser's session and leaves for the sign-in page. */
export async function signOut(): Promise<void> {
  const answer = await post('/api/auth/signout', { callbackUrl: '/' })
  if (!answer.ok) throw new SignInFailed('The server did not end the session. Try again.')
  leaveTo('/signin')
}

/** A full load, so that nothing of the former account stays in this page's memory. */
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
