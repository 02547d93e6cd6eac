import { globSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { picture } from '../testing/images/pictures.ts'
import { api, expect, signIn, test } from './fixtures.ts'
import { findBarriers, weighScripts } from './page-checks.ts'

interface Visit {
  readonly who: 'guest' | 'user' | 'owner'
  /** The most script that the page may load until it is idle, in kB (1,000 bytes) of gzip. */
  readonly script: number
}

interface Places {
  readonly slug: string
  readonly deletionLink: string
  readonly passwordLink: string
  readonly invite: string
}

/** Every page, where it is, and who visits it. One that only redirects has no visits, and
 *  set-up is tested in sign-in-forms.spec.ts. */
const pages: Readonly<Record<string, { path: (places: Places) => string; visits: readonly Visit[] } | null>> = {
  'page.tsx': {
    path: () => '/',
    visits: [
      { who: 'guest', script: 164 },
      { who: 'user', script: 236 },
    ],
  },
  'account/page.tsx': { path: () => '/account', visits: [{ who: 'user', script: 280 }] },
  'admin/page.tsx': null,
  'admin/access/page.tsx': { path: () => '/admin/access', visits: [{ who: 'owner', script: 225 }] },
  'admin/audit/page.tsx': { path: () => '/admin/audit', visits: [{ who: 'owner', script: 245 }] },
  'admin/jobs/page.tsx': { path: () => '/admin/jobs', visits: [{ who: 'owner', script: 224 }] },
  'admin/limits/page.tsx': { path: () => '/admin/limits', visits: [{ who: 'owner', script: 322 }] },
  'admin/site/page.tsx': { path: () => '/admin/site', visits: [{ who: 'owner', script: 250 }] },
  'admin/spending/page.tsx': { path: () => '/admin/spending', visits: [{ who: 'owner', script: 250 }] },
  'admin/users/page.tsx': { path: () => '/admin/users', visits: [{ who: 'owner', script: 307 }] },
  'delete/[link]/page.tsx': { path: ({ deletionLink }) => deletionLink, visits: [{ who: 'guest', script: 162 }] },
  'delete/done/page.tsx': { path: () => '/delete/done', visits: [{ who: 'guest', script: 160 }] },
  'image/[slug]/page.tsx': {
    path: ({ slug }) => `/image/${slug}`,
    visits: [
      { who: 'guest', script: 170 },
      { who: 'user', script: 236 },
    ],
  },
  'password/[link]/page.tsx': { path: ({ passwordLink }) => passwordLink, visits: [{ who: 'guest', script: 162 }] },
  'setup/page.tsx': null,
  'signin/page.tsx': { path: () => '/signin', visits: [{ who: 'guest', script: 162 }] },
  'signup/page.tsx': { path: ({ invite }) => invite, visits: [{ who: 'guest', script: 162 }] },
  'trash/page.tsx': { path: () => '/trash', visits: [{ who: 'user', script: 230 }] },
}

test.use({ settings: { SLUICE_GALLERY: 'on' } })

test('every page is in the list', () => {
  const files = globSync('**/page.tsx', { cwd: join(import.meta.dirname, '../app') })
  expect(Object.keys(pages).sort()).toEqual(files.sort())
})

async function prepare(page: Page): Promise<Places> {
  const { image, user, invite, token } = api(page.request)
  const bytes = await picture({ width: 600, height: 400, seed: 140 })
  const { id } = await image.upload.mutate(new File([new Uint8Array(bytes)], 'weir.jpg'))
  await image.update.mutate({ id, visibility: 'public' })
  const { slug } = await image.get.query({ id })
  const made = await user.create.mutate({ username: `walked-${id.slice(0, 8)}`, role: 'user' })
  const invited = await invite.create.mutate({ uses: 1, days: 1 })
  const key = await token.create.mutate({ name: 'ShareX', scopes: ['upload'], expiresInDays: 1 })
  const sent = await page.request.post('/api/upload?filename=shot.png', {
    headers: { authorization: `Bearer ${key.token}`, 'content-type': 'image/png' },
    data: await picture({ format: 'png', width: 320, height: 200, seed: 141 }),
  })
  const { deletion_url: deletion }: { deletion_url: string } = await sent.json()
  return {
    slug: slug ?? '',
    deletionLink: toPath(deletion),
    passwordLink: toPath(made.link?.url ?? ''),
    invite: toPath(invited.url),
  }
}

function toPath(url: string): string {
  const { pathname, search } = new URL(url)
  return pathname + search
}

test('no page loads more script than its limit, or keeps anyone from using it in either theme', async ({
  page,
  owner,
  createAccount,
  browser,
  sluice,
}) => {
  test.setTimeout(180_000)
  await signIn(page, owner)
  const places = await prepare(page)
  const people = { user: await createAccount(), owner }
  const problems: string[] = []
  for (const [file, visited] of Object.entries(pages)) {
    for (const { who, script } of visited?.visits ?? []) {
      const context = await browser.newContext({ baseURL: sluice.origin, reducedMotion: 'reduce' })
      const visitor = await context.newPage()
      if (who !== 'guest') await signIn(visitor, people[who])
      const scripts = weighScripts(visitor)
      await visitor.goto(visited?.path(places) ?? '', { waitUntil: 'load' })
      await expect(visitor.getByRole('heading', { level: 1 })).toBeVisible()
      const weight = Math.ceil(scripts.total() / 1000)
      if (weight > script) problems.push(`${file} for ${who}: ${weight} kB, limit ${script} kB`)
      const barriers = await findBarriers(visitor)
      problems.push(...barriers.map((barrier) => `${file} for ${who}, ${barrier}`))
      await context.close()
    }
  }
  expect(problems).toEqual([])
})
