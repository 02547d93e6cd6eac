import { randomBytes } from 'node:crypto'
import { type APIRequestContext, test as base, expect, type Page } from '@playwright/test'
import { createTRPCClient, httpLink } from '@trpc/client'
import type { AppRouter } from '#server/trpc/router.ts'
import { type SluiceServer, startSluiceServer } from '../testing/sluice/sluice-server.ts'

export interface Account {
  readonly username: string
  readonly password: string
}

interface NewAccount {
  readonly role?: 'user' | 'admin' | 'superadmin'
  readonly shared?: boolean
}

interface WorkerFixtures {
  /** One server for all tests of a worker. It trusts X-Forwarded-For from this machine, so that each test has its own address. */
  readonly sluice: SluiceServer
  readonly owner: Account
  /** A file's own settings of the server, in addition to or instead of the embedded defaults. */
  readonly settings: Readonly<Record<string, string>>
}

interface TestFixtures {
  /** Creates an account for one test, so that tests share no limits. */
  readonly createAccount: (account?: NewAccount) => Promise<Account>
  /** Errors in the test's page: uncaught errors, console errors, violations of its policy. Must be empty at the end. */
  readonly problems: string[]
}

let addresses = 0

export const test = base.extend<TestFixtures, WorkerFixtures>({
  /** Opens pages until they hear what is done to them. Toasts stay longer, since a busy machine looks for them late. */
  browser: [
    async ({ browser }, use) => {
      const newContext = browser.newContext.bind(browser)
      browser.newContext = async (options) => {
        const context = await newContext(options)
        await context.addInitScript(keepToasts)
        context.on('page', waitForScript)
        return context
      }
      await use(browser)
    },
    { scope: 'worker' },
  ],
  owner: [({ browserName: _ }, use) => use({ username: 'owner', password: randomPassword() }), { scope: 'worker' }],
  settings: [({ browserName: _ }, use) => use({}), { scope: 'worker' }],
  sluice: [
    async ({ owner, settings }, use) => {
      await using sluice = await startSluiceServer({
        env: {
          SLUICE_ADMIN_USERNAME: owner.username,
          SLUICE_ADMIN_PASSWORD: owner.password,
          SLUICE_TRUSTED_PROXIES: '127.0.0.1',
          ...settings,
        },
      })
      await use(sluice)
    },
    // The first start of a server builds its pages.
    { scope: 'worker', timeout: 180_000 },
  ],
  baseURL: ({ sluice }, use) => use(sluice.origin),
  extraHTTPHeaders: ({ sluice: _ }, use, { parallelIndex }) => {
    addresses += 1
    return use({ 'x-forwarded-for': `10.${parallelIndex}.${addresses >> 8}.${addresses & 255}` })
  },
  createAccount: async ({ sluice, owner, playwright }, use) => {
    const request = await playwright.request.newContext({ baseURL: sluice.origin })
    await signInBy(request, owner)
    await use(async ({ role = 'user', shared = false } = {}) => {
      const account = { username: `${role}-${randomBytes(4).toString('hex')}`, password: randomPassword() }
      await api(request).user.create.mutate({ ...account, role, shared })
      return account
    })
    await request.dispose()
  },
  problems: [
    async ({ page }, use) => {
      const problems: string[] = []
      page.on('pageerror', (error) => problems.push(String(error)))
      page.on('console', (message) => {
        // The browser also logs responses with 4xx; the test itself checks whether they were expected.
        const isAnswer = message.text().startsWith('Failed to load resource')
        if (message.type() === 'error' && !isAnswer) problems.push(message.text())
      })
      await use(problems)
      expect(problems).toEqual([])
    },
    { auto: true },
  ],
})

export { expect }

function keepToasts(): void {
  const { setTimeout } = window
  const toasts = [6_000, 10_000]
  const longer = (run: TimerHandler, ms = 0, ...rest: unknown[]) =>
    setTimeout(run, toasts.includes(ms) ? 30_000 : ms, ...rest)
  Object.assign(window, { setTimeout: longer })
}

function waitForScript(page: Page): void {
  const { goto, reload } = page
  page.goto = async (url, options) => {
    const answer = await goto.call(page, url, options)
    if (options?.waitUntil !== 'commit') await hydrated(page)
    return answer
  }
  page.reload = async (options) => {
    const answer = await reload.call(page, options)
    await hydrated(page)
    return answer
  }
}

/** Answers when React has reached every control of the page and has nothing left to do: until then keys and drags are lost. */
async function hydrated(page: Page): Promise<void> {
  const isByReact = await page.evaluate(() => '__next_f' in window)
  if (!isByReact) return
  await page.waitForFunction(() => {
    const isReached = (element: Element) => Object.keys(element).some((key) => key.startsWith('__reactProps$'))
    return [...document.body.querySelectorAll('a, button, input, select')].every(isReached)
  })
  await page.evaluate(() => new Promise((resolve) => requestIdleCallback(resolve, { timeout: 5_000 })))
}

/** Signs the page's browser in without the form; it opens the following pages as that account. */
export async function signIn(page: Page, account: Account): Promise<void> {
  await signInBy(page.request, account)
}

/** The same without a page. */
export async function signInBy(request: APIRequestContext, { username, password }: Account): Promise<void> {
  const csrf = await request.get('/api/auth/csrf')
  const { csrfToken }: { csrfToken: string } = await csrf.json()
  const answer = await request.post('/api/auth/callback/credentials', {
    form: { csrfToken, username, password, json: 'true' },
  })
  expect(answer.status(), await answer.text()).toBe(200)
}

/** The procedures, called as the account that `request` is signed in with. Sends a File with its name. */
export function api(request: APIRequestContext) {
  return createTRPCClient<AppRouter>({
    links: [
      httpLink({
        url: '/api/trpc',
        headers: ({ op }) => (op.input instanceof File ? { 'x-file-name': encodeURIComponent(op.input.name) } : {}),
        fetch: async (url, init) => {
          const body = init?.body ? Buffer.from(await new Response(init.body).arrayBuffer()) : null
          const answer = await request.fetch(String(url), {
            method: init?.method ?? 'GET',
            headers: Object.fromEntries(new Headers(init?.headers)),
            ...(body && { data: body }),
          })
          return new Response(new Uint8Array(await answer.body()), {
            status: answer.status(),
            headers: answer.headers(),
          })
        },
      }),
    ],
  })
}

function randomPassword(): string {
  return randomBytes(12).toString('base64url')
}
