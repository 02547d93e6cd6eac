import { translate } from '#messages/translate.ts'
import { CommandFailed } from '../command.ts'
import { send } from './api.ts'

/** A session like a browser's, kept only until the token exists. */
export class SignedIn {
  readonly #url: string
  readonly #cookies = new Map<string, string>()

  private constructor(url: string) {
    this.#url = url
  }

  /** Signs in through next-auth's credentials. Throws CommandFailed, which never reveals whether the account exists. */
  static async by(url: string, username: string, password: string): Promise<SignedIn> {
    const session = new SignedIn(url)
    const answer = await session.#post('callback/credentials', { username, password, callbackUrl: '/' })
    const text = await answer.text()
    if (answer.ok && !text.includes('error=')) return session
    if (answer.status === 429) throw new CommandFailed('refused', translate('signIn.tooMany'))
    if (answer.status >= 500)
      throw new CommandFailed(
        'unreachable',
        translate('cli.connection.signInUnavailable', { url, status: `${answer.status}` }),
      )
    throw new CommandFailed('notSignedIn', translate('cli.connection.wrongPassword'))
  }

  /** The headers that make a request part of the session. */
  get headers(): { readonly cookie: string } {
    return { cookie: Array.from(this.#cookies, ([name, value]) => `${name}=${value}`).join('; ') }
  }

  /** Ends the session on the server. */
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
    throw new CommandFailed('unreachable', translate('cli.connection.notSluice', { url: this.#url }))
  }

  async #send(endpoint: string, init: RequestInit): Promise<Response> {
    const answer = await send(`${this.#url}/api/auth/${endpoint}`, { ...init, headers: this.headers }).catch(
      (error: unknown) => {
        throw error instanceof CommandFailed
          ? error
          : new CommandFailed('unreachable', translate('cli.connection.unreachable', { url: this.#url }), {
              cause: error,
            })
      },
    )
    for (const cookie of answer.headers.getSetCookie()) {
      const [, name, value] = /^([^=;]+)=([^;]*)/.exec(cookie) ?? []
      if (name !== undefined && value !== undefined) this.#cookies.set(name, value)
    }
    return answer
  }
}
