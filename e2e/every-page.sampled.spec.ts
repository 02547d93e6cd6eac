import { globSync } from 'node:fs'
import { join } from 'node:path'
import type { Browser, Page } from '@playwright/test'
import { picture } from '../testing/images/pictures.ts'
import { variantDrawer } from '../testing/sampled.ts'
import { type Account, api, expect, signIn, signInBy, test } from './fixtures.ts'
import { findBarriersIn, type Theme, weighScripts } from './page-checks.ts'

/** Images that fill more than a window. */
const LONG_LIST = 40

interface Visit {
  readonly who: 'guest' | 'user' | 'owner'
  /** The most script that the page may load until it is idle, in kB (1,000 bytes) of gzip. */
  readonly script: number
  /** A slider that is loaded late, and waited for. */
  readonly slider?: string
}

interface Places {
  readonly album: string
  readonly albumSlug: string
  readonly slug: string
  readonly deletionLink: string
  readonly passwordLink: string
  readonly invite: string
  readonly share: string
  readonly openShare: string
}

/** Every page, where it is, and who visits it. One that only redirects has no visits, and
 *  set-up is tested in sign-in-forms.spec.ts, and forgotten passwords in mail.spec.ts; nobody is led to set up a second factor here. */
const pages: Readonly<Record<string, { path: (places: Places) => string; visits: readonly Visit[] } | null>> = {
  'page.tsx': {
    path: () => '/',
    visits: [
      { who: 'guest', script: 158 },
      { who: 'user', script: 225 },
      // With a list longer than the window, and the notice of a budget.
      { who: 'owner', script: 229, slider: 'Timeline' },
    ],
  },
  'account/page.tsx': { path: () => '/account', visits: [{ who: 'user', script: 223 }] },
  'admin/page.tsx': null,
  'admin/access/page.tsx': { path: () => '/admin/access', visits: [{ who: 'owner', script: 211 }] },
  'admin/audit/page.tsx': { path: () => '/admin/audit', visits: [{ who: 'owner', script: 213 }] },
  'admin/backups/page.tsx': { path: () => '/admin/backups', visits: [{ who: 'owner', script: 209 }] },
  'admin/jobs/page.tsx': { path: () => '/admin/jobs', visits: [{ who: 'owner', script: 210 }] },
  'admin/limits/page.tsx': { path: () => '/admin/limits', visits: [{ who: 'owner', script: 222 }] },
  'admin/reports/page.tsx': { path: () => '/admin/reports', visits: [{ who: 'owner', script: 212 }] },
  'admin/site/page.tsx': { path: () => '/admin/site', visits: [{ who: 'owner', script: 216 }] },
  'admin/spending/page.tsx': { path: () => '/admin/spending', visits: [{ who: 'owner', script: 214 }] },
  'admin/users/page.tsx': { path: () => '/admin/users', visits: [{ who: 'owner', script: 212 }] },
  'a/[slug]/page.tsx': { path: ({ albumSlug }) => `/a/${albumSlug}`, visits: [{ who: 'guest', script: 161 }] },
  'albums/page.tsx': {
    path: () => '/albums',
    visits: [
      { who: 'guest', script: 159 },
      { who: 'owner', script: 211 },
    ],
  },
  'albums/[id]/page.tsx': { path: ({ album }) => `/albums/${album}`, visits: [{ who: 'owner', script: 225 }] },
  'delete/[link]/page.tsx': { path: ({ deletionLink }) => deletionLink, visits: [{ who: 'guest', script: 153 }] },
  'delete/done/page.tsx': { path: () => '/delete/done', visits: [{ who: 'guest', script: 153 }] },
  'email/[link]/page.tsx': { path: () => '/email/void', visits: [{ who: 'guest', script: 152 }] },
  'email/confirmed/page.tsx': { path: () => '/email/confirmed', visits: [{ who: 'guest', script: 149 }] },
  'image/[slug]/page.tsx': {
    path: ({ slug }) => `/image/${slug}`,
    visits: [
      { who: 'guest', script: 168 },
      { who: 'user', script: 221 },
    ],
  },
  'password/[link]/page.tsx': { path: ({ passwordLink }) => passwordLink, visits: [{ who: 'guest', script: 154 }] },
  'report/page.tsx': {
    path: ({ slug }) => `/report?image=${slug}`,
    visits: [
      { who: 'guest', script: 154 },
      { who: 'user', script: 202 },
    ],
  },
  'upload/page.tsx': { path: () => '/upload', visits: [{ who: 'guest', script: 158 }] },
  's/[token]/report/page.tsx': {
    path: ({ openShare }) => `${openShare}/report`,
    visits: [{ who: 'guest', script: 154 }],
  },
  's/[token]/page.tsx': { path: ({ share }) => share, visits: [{ who: 'guest', script: 159 }] },
  'setup/page.tsx': null,
  'shares/page.tsx': { path: () => '/shares', visits: [{ who: 'owner', script: 206 }] },
  'signin/page.tsx': { path: () => '/signin', visits: [{ who: 'guest', script: 155 }] },
  'signin/factor/page.tsx': null,
  'signin/forgot/page.tsx': null,
  // An unusable link: a usable one is used in openid-provider.spec.ts.
  'signin/link/[link]/page.tsx': { path: () => '/signin/link/none', visits: [{ who: 'guest', script: 152 }] },
  'signin/provider/page.tsx': { path: () => '/signin/provider?proven=1', visits: [{ who: 'user', script: 151 }] },
  'signin/verify/page.tsx': { path: () => '/signin/verify', visits: [{ who: 'guest', script: 154 }] },
  'signup/page.tsx': { path: ({ invite }) => invite, visits: [{ who: 'guest', script: 154 }] },
  'tags/page.tsx': { path: () => '/tags', visits: [{ who: 'user', script: 204 }] },
  'trash/page.tsx': { path: () => '/trash', visits: [{ who: 'user', script: 211 }] },
  'u/[name]/page.tsx': {
    path: () => '/u/the-lock-keeper',
    visits: [
      { who: 'guest', script: 167 },
      { who: 'user', script: 215 },
    ],
  },
}

test.use({ settings: { SLUICE_GALLERY: 'on', SLUICE_GUEST_UPLOAD: 'approval' } })

test('every page is in the list', () => {
  const files = globSync('**/page.tsx', { cwd: join(import.meta.dirname, '../app') })
  expect(Object.keys(pages).sort()).toEqual(files.sort())
})

async function prepare(page: Page): Promise<Places> {
  const { account, album, image, user, invite, token, share } = api(page.request)
  const bytes = await picture({ width: 600, height: 400, seed: 140 })
  const { id } = await image.upload.mutate(new File([new Uint8Array(bytes)], 'weir.jpg'))
  await image.update.mutate({ id, visibility: 'public' })
  const { slug } = await image.get.query({ id })
  for (let seed = 0; seed < LONG_LIST; seed += 1) {
    const tile = await picture({ width: 150, height: 100, seed })
    await image.upload.mutate(new File([new Uint8Array(tile)], `${seed}.jpg`))
  }
  const filed = await album.create.mutate({ title: 'Canals', description: 'Locks and weirs', visibility: 'public' })
  await album.add.mutate({ id: filed.id, images: [id] })
  await account.setProfile.mutate({ isOpen: true, name: 'the-lock-keeper', line: 'Weirs and locks' })
  const made = await user.create.mutate({ username: `walked-${id.slice(0, 8)}`, role: 'user' })
  const invited = await invite.create.mutate({ uses: 1, days: 1 })
  const key = await token.create.mutate({ name: 'ShareX', scopes: ['upload'], expiresInDays: 1 })
  const shared = await share.create.mutate({ target: { images: [id] }, password: 'open sesame' })
  const open = await share.create.mutate({ target: { images: [id] } })
  const sent = await page.request.post('/api/upload?filename=shot.png', {
    headers: { authorization: `Bearer ${key.token}`, 'content-type': 'image/png' },
    data: await picture({ format: 'png', width: 320, height: 200, seed: 141 }),
  })
  const { deletion_url: deletion }: { deletion_url: string } = await sent.json()
  return {
    album: filed.id,
    albumSlug: filed.slug,
    slug: slug ?? '',
    deletionLink: toPath(deletion),
    passwordLink: toPath(made.link?.url ?? ''),
    invite: toPath(invited.url),
    share: toPath(shared.url),
    openShare: toPath(open.url),
  }
}

function toPath(url: string): string {
  const { pathname, search } = new URL(url)
  return pathname + search
}

/** The cookies of a browser that is signed in with the account. */
async function cookiesWith(account: Account, browser: Browser, baseURL: string) {
  await using context = await browser.newContext({ baseURL })
  await signInBy(context.request, account)
  return await context.storageState()
}

test('no page loads more script than its limit, or keeps anyone from using it in either theme', async ({
  page,
  owner,
  createAccount,
  browser,
  sluice,
}) => {
  test.setTimeout(360_000)
  await signIn(page, owner)
  const places = await prepare(page)
  // Signed in once each: checking a password takes a tenth of a second of CPU.
  const cookies = {
    guest: { cookies: [], origins: [] },
    user: await cookiesWith(await createAccount(), browser, sluice.origin),
    owner: await page.context().storageState(),
  }
  const draw = variantDrawer()
  const problems: string[] = []
  for (const [file, visited] of Object.entries(pages)) {
    for (const { who, script, slider } of visited?.visits ?? []) {
      const context = await browser.newContext({
        baseURL: sluice.origin,
        reducedMotion: 'reduce',
        storageState: cookies[who],
      })
      const visitor = await context.newPage()
      const scripts = weighScripts(visitor)
      await visitor.goto(visited?.path(places) ?? '', { waitUntil: 'load' })
      await expect(visitor.getByRole('heading', { level: 1 })).toBeVisible()
      if (slider) await expect(visitor.getByRole('slider', { name: slider })).toBeVisible()
      await scripts.settled()
      const weight = Math.ceil(scripts.total() / 1000)
      if (weight > script) problems.push(`${file} for ${who}: ${weight} kB, limit ${script} kB`)
      for (const theme of draw<Theme | null>(['light', 'dark', null, null])) {
        const barriers = theme === null ? [] : await findBarriersIn(visitor, theme)
        problems.push(...barriers.map((barrier) => `${file} for ${who}, ${barrier}`))
      }
      await context.close()
    }
  }
  expect(problems).toEqual([])
})
