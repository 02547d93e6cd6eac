import { z } from 'zod'
import { translate } from '#messages/translate.ts'
import { CommandFailed } from '../command.ts'
import { send } from './api.ts'

/** What the second step of a sign-in is answered with: a code, typed by whoever signs in. `methods` are those of the account. */
export type AskForCode = (methods: readonly string[], problem: string | null) => Promise<string>

const secondStep = z.object({ error: z.literal('SecondStep'), methods: z.array(z.string()) })
const passwordsOff = z.object({ error: z.literal('PasswordsOff'), message: z.string() })
const failure = z.object({ message: z.string(), data: z.object({ reason: z.string().nullish() }) })

/** A session like a browser's, kept only until the token exists. */
export class SignedIn {
  readonly #url: string
  readonly #cookies = new Map<string, string>()

  private constructor(url: string) {
    this.#url = url
  }

  /** Signs in through next-auth's credentials, and takes the second step of an account that has one. Throws CommandFailed, which never
   *  reveals whether the account exists. */
  static async by(url: string, username: string, password: string, askForCode: AskForCode): Promise<SignedIn> {
    const session = new SignedIn(url)
    const answer = await session.#post('callback/credentials', { username, password, callbackUrl: '/' })
    const text = await answer.text()
    if (answer.ok && !text.includes('error=')) return session
    const next = secondStep.safeParse(parseJson(text)).data
    if (next) return session.#verify(next.methods, askForCode)
    const off = passwordsOff.safeParse(parseJson(text)).data
    if (off) throw new CommandFailed('notSignedIn', off.message)
    if (answer.status === 429) throw new CommandFailed('refused', translate('signIn.tooMany'))
    if (answer.status >= 500) throw session.#unavailable(answer)
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

  /** Asks for codes until one is right. A code of an app has six digits; all others are recovery codes. */
  async #verify(methods: readonly string[], askForCode: AskForCode): Promise<this> {
    // A browser's passkeys cannot answer here.
    if (!methods.includes('totp') && !methods.includes('recovery'))
      throw new CommandFailed('notSignedIn', translate('cli.login.passkeyOnly'))
    for (let problem: string | null = null; ; ) {
      const answer: string = await askForCode(methods, problem)
      const method = /^[\s\d]*$/.test(answer) && methods.includes('totp') ? 'totp' : 'recovery'
      const body = new URLSearchParams({ method, answer })
      const verified = await this.#send('form/verify', { method: 'POST', body })
      if (verified.ok) return this
      const failed = failure.safeParse(parseJson(await verified.text())).data
      if (!failed || verified.status >= 500) throw this.#unavailable(verified)
      if (verified.status === 429) throw new CommandFailed('refused', failed.message)
      if (failed.data.reason !== 'wrong-second-step') throw new CommandFailed('notSignedIn', failed.message)
      problem = failed.message
    }
  }

  #unavailable({ status }: Response): CommandFailed {
    const sentence = translate('cli.connection.signInUnavailable', { url: this.#url, status: `${status}` })
    return new CommandFailed('unreachable', sentence)
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
    const headers = { ...this.headers, accept: 'application/json' }
    const answer = await send(`${this.#url}/api/auth/${endpoint}`, { ...init, headers }).catch((error: unknown) => {
      throw error instanceof CommandFailed
        ? error
        : new CommandFailed('unreachable', translate('cli.connection.unreachable', { url: this.#url }), {
            cause: error,
          })
    })
    for (const cookie of answer.headers.getSetCookie()) {
      const [, name, value] = /^([^=;]+)=([^;]*)/.exec(cookie) ?? []
      if (name !== undefined && value !== undefined) this.#cookies.set(name, value)
    }
    return answer
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
