import { picture } from '../testing/images/pictures.ts'
import { api, expect, signIn, test } from './fixtures.ts'

test.use({ settings: { SLUICE_GALLERY: 'on' } })

test('a guest reads the gallery page by page without script, and each page is charged as one list', async ({
  page,
  browser,
  sluice,
  createAccount,
}) => {
  test.setTimeout(120_000)
  // No limit of uploads holds up a superadmin.
  await signIn(page, await createAccount({ role: 'superadmin' }))
  const { image } = api(page.request)
  const pictures = await Promise.all(Array.from({ length: 41 }, (_, seed) => picture({ width: 60, height: 40, seed })))
  for (const [at, bytes] of pictures.entries()) {
    const { id } = await image.upload.mutate(new File([new Uint8Array(bytes)], `sluice ${at + 1}.jpg`))
    await image.update.mutate({ id, visibility: 'public' })
  }
  const context = await browser.newContext({
    baseURL: sluice.origin,
    javaScriptEnabled: false,
    extraHTTPHeaders: { 'x-forwarded-for': '198.51.100.78' },
  })
  // Images are charged as well, each by itself.
  await context.route('**/i/**', (route) => route.abort())
  const viewed = async () => {
    const { rules } = await api(context.request).limits.mine.query()
    const rule = rules.find(({ ruleSet, windowMs }) => ruleSet === 'view' && windowMs === 3_600_000)
    return rule && rule.limit - rule.remaining
  }
  const guest = await context.newPage()
  const before = await viewed()
  await guest.goto('/')
  expect(await viewed()).toBe((before ?? 0) + 1)
  const tiles = guest.getByRole('list', { name: 'Images' }).getByRole('link')
  await expect(tiles).toHaveCount(40)
  expect(await guest.locator('img[fetchpriority=high]').count()).toBe(8)
  expect(await guest.locator('img[loading=lazy][width="60"][height="40"]').count()).toBe(32)
  await guest.getByRole('link', { name: 'Older images' }).click()
  await expect(tiles).toHaveCount(1)
  await expect(guest.getByRole('link', { name: 'Older images' })).toHaveCount(0)
  await guest.locator('a[rel=prev]').click()
  await expect(tiles).toHaveCount(40)
  expect(new URL(guest.url()).search).toBe('')
  await tiles.first().click()
  await expect(guest.getByRole('heading', { name: 'sluice 41' })).toBeVisible()
  await guest.goto('/')
  await guest.getByRole('link', { name: 'Public albums' }).click()
  await expect(guest.getByRole('heading', { name: 'Public albums' })).toBeVisible()
  await guest.getByRole('link', { name: 'Public gallery' }).click()
  await expect(tiles).toHaveCount(40)
  expect((await guest.goto('/?after=nonsense'))?.status()).toBe(404)
  await context.close()
})

test('a guest copies the link of an image from its tile, by the button and by a key', async ({
  page,
  browser,
  sluice,
  createAccount,
}) => {
  await signIn(page, await createAccount())
  const { image } = api(page.request)
  const { id, url } = await image.upload.mutate(await picture())
  await image.update.mutate({ id, visibility: 'public', title: 'Weir' })
  const context = await browser.newContext({
    baseURL: sluice.origin,
    permissions: ['clipboard-read', 'clipboard-write'],
  })
  const guest = await context.newPage()
  await guest.goto('/')
  const copied = () => guest.evaluate(() => navigator.clipboard.readText())
  const tile = guest.getByRole('listitem').filter({ has: guest.getByRole('link', { name: 'Weir' }) })
  await tile.hover()
  await tile.getByRole('button', { name: 'Copy link of Weir' }).click()
  await expect(tile.getByRole('button', { name: 'Copied link of Weir' })).toBeVisible()
  expect(await copied()).toBe(url)
  await guest.evaluate(() => {
    localStorage.setItem('sluice-link-format', 'bbcode')
    return navigator.clipboard.writeText('')
  })
  await tile.getByRole('link').focus()
  await guest.keyboard.press('c')
  await expect.poll(copied).toBe(`[img]${url}[/img]`)
  await context.close()
})
