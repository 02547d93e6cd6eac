import { randomUUID } from 'node:crypto'
import { type RoundRequest, takeRoundStep } from '#server/http/pages/provider-rounds.ts'
import { createContext } from '#server/trpc/context.ts'
import type { TestApp } from '../sluice/sluice-app.ts'
import type { TestProvider } from './openid-provider.ts'

/** A browser that signs in by providers. */
export class ProviderBrowser {
  readonly #test: TestApp
  readonly #cookies = new Map<string, string>()
  /** The cookies that providers have set. */
  readonly jar = new Map<string, string>()
  readonly address = `198.51.${Math.floor(Math.random() * 256)}.${Math.floor(Math.random() * 256)}`

  constructor(test: TestApp, cookie?: string) {
    this.#test = test
    if (cookie) this.#keep(cookie)
  }

  get cookie(): string {
    return Array.from(this.#cookies, ([name, value]) => `${name}=${value}`).join('; ')
  }

  /** Returns the account that is signed in. */
  viewer() {
    return this.#test.app.findViewer({ cookie: this.cookie })
  }

  /** Takes a step of the site's own, and keeps its cookies. */
  async take(step: RoundRequest['step'], query: URLSearchParams, { provider = 'one', next = '/', isOwn = true } = {}) {
    const header = (name: string) => (name === 'cookie' ? this.cookie : name === 'user-agent' ? 'a browser' : undefined)
    const facts = { viewer: await this.viewer(), address: this.address, requestId: randomUUID(), foreignOrigin: false }
    const request = { provider, step, query, next, isOwn }
    const outcome = await takeRoundStep(this.#test.app, request, createContext(this.#test.app, { ...facts, header }))
    for (const cookie of outcome.cookies) this.#keep(cookie)
    return outcome
  }

  /** Returns where a start leads. */
  async start(query: Readonly<Record<string, string>> = {}, provider = 'one'): Promise<string> {
    const outcome = await this.take('start', new URLSearchParams(query), { provider, next: '/albums' })
    if (outcome.outcome === 'failed') throw new Error(outcome.failure.message)
    return outcome.location
  }

  /** Returns where a start leads by its path. */
  startAt(path: string): Promise<string> {
    const url = new URL(path, 'http://site.invalid')
    return this.start(Object.fromEntries(url.searchParams), url.pathname.split('/').at(-2))
  }

  /** Ends a round with the callback's address. Returns the path that it leads to, or the failure's code. */
  async end(callback: URL, provider = 'one'): Promise<string> {
    const outcome = await this.take('callback', callback.searchParams, { provider })
    if (outcome.outcome === 'done') return outcome.location
    return outcome.failure.data.text?.code ?? outcome.failure.data.code
  }

  /** Goes the whole round as a person of the provider. Returns as `end` does. */
  async signIn(idp: TestProvider, login: string | null, query?: Readonly<Record<string, string>>): Promise<string> {
    return this.end(await idp.visit(await this.start(query), login, this.jar))
  }

  #keep(cookie: string): void {
    const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(cookie) ?? []
    if (value === '') this.#cookies.delete(name)
    else this.#cookies.set(name, value)
  }
}
