import { CommandFailed } from '../command.ts'
import { send } from './api.ts'

/** A session at a server, as a browser has one, for as long as it takes to make a token. */
export class SignedIn {
  readonly #url: string
  readonly #cookies = new Map<string, string>()

  private constructor(url: string) {
    this.#url = url
  }

  /** Signs in with next-auth's credentials. Throws CommandFailed; whether the account exists is never told. */
  static async by(url: string, username: string, password: string): Promise<SignedIn> {
    const session = new SignedIn(url)
    const answer = await session.#post('callback/credentials', { username, password, callbackUrl: '/' })
    const text = await answer.text()
    if (answer.ok && !text.includes('error=')) return session
    if (answer.status === 429) throw new CommandFailed('refused', 'Too many tries. Wait a little, then sign in again.')
    if (answer.status >= 500)
      throw new CommandFailed('unreachable', `${url} cannot sign anybody in right now (${answer.status}).`)
    throw new CommandFailed('notSignedIn', 'The user name or the password is not right.')
  }

  /** What a request needs to be one of the session's. */
  get headers(): { readonly cookie: string } {
    return { cookie: Array.from(this.#cookies, ([name, value]) => `${name}=${value}`).join('; ') }
  }

  /** Ends the session, so that none is left open. */
  async end(): Promise<void> {
    await this.#post('signout', { callbackUrl: '/' }).catch(() => undefined)
  }

  async #post(endpoint: string, fields: Readonly<Record<string, string>>): Promise<Response> {
    const csrfToken = await this.#csrfToken()
    const body = new URLSearchParams({ ...fields, csrfToken, json: 'true' })
    return this.#send(endpoint, { method: 'POST', body })
  }

  async #csrfToken(): Promise<string> {
    const answer = await this.#send('csrf', {})
    const token: unknown = await answer.json().catch(() => null)
    if (typeof token === 'object' && token !== null && 'csrfToken' in token) return String(token.csrfToken)
    throw new CommandFailed('unreachable', `${this.#url} does not answer as Sluice does.`)
  }

  async #send(endpoint: string, init: RequestInit): Promise<Response> {
    const answer = await send(`${this.#url}/api/auth/${endpoint}`, { ...init, headers: this.headers }).catch(
      (error: unknown) => {
        throw error instanceof CommandFailed
          ? error
          : new CommandFailed('unreachable', `${this.#url} does not answer.`, { cause: error })
      },
    )
    for (const cookie of answer.headers.getSetCookie()) {
      const [, name, value] = /^([^=;]+)=([^;]*)/.exec(cookie) ?? []
      if (name !== undefined && value !== undefined) this.#cookies.set(name, value)
    }
    return answer
  }
}
