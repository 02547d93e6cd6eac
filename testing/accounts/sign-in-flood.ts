import { randomBytes } from 'node:crypto'
import { Agent, request } from 'node:http'

export interface SignInForm {
  /** The client's, as the trusted proxy 127.0.0.1 states it. */
  readonly address: string
  readonly username: string
  readonly password: string
  /** Sent as the Cookie header. */
  readonly cookie?: string
}

interface Answer {
  readonly status: number
  readonly body: string
  /** As for a Cookie header. */
  readonly cookies: readonly string[]
}

/** A browser with one connection. */
export class SignInClient implements Disposable {
  readonly #origin: string
  readonly #agent = new Agent({ keepAlive: true, maxSockets: 1 })

  constructor(origin: string) {
    this.#origin = origin
  }

  /** Signs in through next-auth's form; 401 is a wrong password. `ms` is the time of the form alone. */
  async signIn({ address, username, password, cookie = '' }: SignInForm) {
    const csrf = await this.#send('csrf', address, cookie)
    const csrfToken = /"csrfToken":"(\w+)"/.exec(csrf.body)?.[1] ?? ''
    const form = new URLSearchParams({ username, password, csrfToken, json: 'true' })
    const cookies = [cookie, ...csrf.cookies].filter(Boolean).join('; ')
    const started = performance.now()
    const answer = await this.#send('callback/credentials', address, cookies, form.toString())
    return { ...answer, ms: performance.now() - started }
  }

  [Symbol.dispose](): void {
    this.#agent.destroy()
  }

  #send(endpoint: string, address: string, cookie: string, form = ''): Promise<Answer> {
    const { promise, resolve, reject } = Promise.withResolvers<Answer>()
    const headers = {
      'X-Forwarded-For': address,
      ...(cookie && { Cookie: cookie }),
      ...(form && { 'Content-Type': 'application/x-www-form-urlencoded', 'Content-Length': form.length }),
    }
    const options = { method: form ? 'POST' : 'GET', agent: this.#agent, headers }
    const sent = request(`${this.#origin}/api/auth/${endpoint}`, options, (answer) => {
      let body = ''
      answer.setEncoding('utf8')
      answer.on('data', (text: string) => {
        body += text
      })
      answer.once('error', reject)
      answer.once('end', () => {
        const cookies = (answer.headers['set-cookie'] ?? []).map((line) => line.split(';', 1)[0] ?? '')
        resolve({ status: answer.statusCode ?? 0, body, cookies })
      })
    })
    sent.once('error', reject)
    sent.end(form)
    return promise
  }
}

interface FloodOptions {
  /** Clients that sign in rightly, each to an account of its own. */
  readonly accounts: readonly { readonly username: string; readonly password: string }[]
}

/**
 * 260 clients in 90 /64s of one IPv6 /48, each of which signs in again as soon as it is answered: first those with an account,
 * the others with names that nobody has. Returns how often each status was answered; disposing of it ends the flood.
 */
export function floodSignIns(
  origin: string,
  { accounts }: FloodOptions,
): Disposable & { answers: Map<number, number> } {
  const answers = new Map<number, number>()
  let hasEnded = false
  const clients = Array.from({ length: 260 }, () => new SignInClient(origin))
  const run = async (client: SignInClient, at: number) => {
    const address = `2001:db8:1:${(at % 90).toString(16)}::${at + 1}`
    while (!hasEnded) {
      const guess = { username: `u${randomBytes(6).toString('hex')}`, password: 'a guess at a password' }
      const { status } = await client.signIn({ address, ...(accounts[at] ?? guess) })
      answers.set(status, (answers.get(status) ?? 0) + 1)
    }
  }
  for (const [at, client] of clients.entries()) run(client, at).catch(() => undefined)
  return {
    answers,
    [Symbol.dispose]: () => {
      hasEnded = true
      for (const client of clients) client[Symbol.dispose]()
    },
  }
}
