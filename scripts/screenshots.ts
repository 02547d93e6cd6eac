// npm run screenshots: takes the screenshots in docs/screenshots, of its own server with generated landscapes.
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { type BrowserContext, chromium } from '@playwright/test'
import { landscape } from '#testing/images/landscape.ts'
import { findChromium } from '#testing/servers/chromium.ts'
import { startSluiceServer } from '#testing/sluice/sluice-server.ts'

const owner = { username: 'ada', password: 'a lock on the old canal' }
const folder = join(import.meta.dirname, '../docs/screenshots')
const shapes = [
  [1500, 1000],
  [1000, 1400],
  [1600, 900],
  [1200, 1200],
  [2100, 900],
  [1500, 1000],
  [900, 1300],
] as const

await mkdir(folder, { recursive: true })
await using server = await startSluiceServer({
  env: { SLUICE_ADMIN_USERNAME: owner.username, SLUICE_ADMIN_PASSWORD: owner.password, SLUICE_GALLERY: 'on' },
})
const executablePath = findChromium()
await using browser = await chromium.launch({
  ...(executablePath && { executablePath }),
  args: process.getuid?.() === 0 ? ['--no-sandbox'] : [],
})

const desktop = await open({ width: 1280, height: 800 }, 'light')
const DAY_MS = 86_400_000
const uploaded: string[] = []
for (let seed = 0; seed < 24; seed += 1) {
  const [width, height] = shapes[seed % shapes.length] ?? [1500, 1000]
  const answer = await desktop.request.post('/api/trpc/image.upload', {
    headers: { 'content-type': 'application/octet-stream', 'x-file-name': `ridge-${seed + 1}.jpg` },
    data: await landscape(seed, { width, height }),
  })
  uploaded.push((await answer.json()).result.data.id)
}
// Spread over months, as a library is that has been imported.
const items = uploaded.map((id, at) => ({
  id,
  createdAt: new Date(Date.now() - at * 9 * DAY_MS).toISOString(),
}))
await call(desktop, 'library.restore', { items })
const { result } = await (await desktop.request.get('/api/trpc/image.list')).json()
const { slug } = result.data.items[3]
await shoot(desktop, '/', 'gallery')
await shoot(desktop, `/image/${slug}`, 'image')
const album = await call(desktop, 'album.create', { title: 'Ridges', description: 'From the lock up to the pass.' })
const images = uploaded.slice(0, 12)
await call(desktop, 'album.add', { id: album.id, images })
await shoot(desktop, `/albums/${album.id}`, 'album')
const share = await call(desktop, 'share.create', { target: { images: uploaded.slice(12, 18) }, title: 'Our walk' })
const guest = await browser.newContext({ viewport: { width: 1280, height: 800 }, baseURL: server.origin })
await shoot(guest, share.url, 'share')
await shoot(desktop, '/admin/limits', 'limits')
await shoot(desktop, '/admin/site', 'site')
const { token } = await call(desktop, 'token.create', { name: 'ShareX', scopes: ['upload'], expiresInDays: 30 })
const { deletion_url: deletionUrl } = await (
  await desktop.request.post('/api/upload?filename=harbour.jpg', {
    headers: { authorization: `Bearer ${token}`, 'content-type': 'image/jpeg' },
    data: await landscape(99, { width: 1500, height: 1000 }),
  })
).json()
await shoot(desktop, deletionUrl, 'deletion-link')
await shoot(desktop, '/account', 'clients', 'Program')
const phone = await open({ width: 380, height: 760 }, 'dark')
await shoot(phone, '/', 'gallery-narrow-dark')

async function open(
  viewport: { width: number; height: number },
  colorScheme: 'light' | 'dark',
): Promise<BrowserContext> {
  const context = await browser.newContext({ viewport, colorScheme, baseURL: server.origin })
  const { csrfToken } = await (await context.request.get('/api/auth/csrf')).json()
  await context.request.post('/api/auth/callback/credentials', { form: { ...owner, csrfToken, json: 'true' } })
  return context
}

/** Calls a mutation. */
async function call({ request }: BrowserContext, path: string, data: object) {
  const answer = await request.post(`/api/trpc/${path}`, { data })
  if (!answer.ok()) throw new Error(`${path} was answered ${answer.status()}: ${await answer.text()}`)
  return (await answer.json()).result.data
}

/** Takes a screenshot of the window. `tabs` names the tabs to scroll into the middle. */
async function shoot(context: BrowserContext, path: string, name: string, tabs?: string): Promise<void> {
  const page = await context.newPage()
  await page.goto(path)
  // It never is while figures are live.
  await page.waitForLoadState('networkidle', { timeout: 10_000 }).catch(() => undefined)
  // On a busy machine, placeholders may still be there, or the months of the gallery and images in view may be missing.
  await page.waitForFunction(
    () =>
      !document.querySelector('.animate-shimmer, [data-timeline]:not(:has([role=slider]))') &&
      [...document.images].every(({ complete, y }) => complete || y > innerHeight),
  )
  // The images have loaded, but a busy machine may not have decoded them yet.
  await page.evaluate(() => Promise.all([...document.images].map((image) => image.complete && image.decode())))
  if (tabs) await page.getByRole('tablist', { name: tabs }).evaluate((list) => list.scrollIntoView({ block: 'center' }))
  await page.screenshot({ path: join(folder, `${name}.png`) })
  console.log(`docs/screenshots/${name}.png`)
}
