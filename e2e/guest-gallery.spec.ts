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
  await signIn(page, await createAccount())
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
  expect(await guest.locator('img[fetchpriority=high]').count()).toBe(4)
  expect(await guest.locator('img[loading=lazy][width="60"][height="40"]').count()).toBe(36)
  await guest.getByRole('link', { name: 'Older images' }).click()
  await expect(tiles).toHaveCount(1)
  await expect(guest.getByRole('link', { name: 'Older images' })).toHaveCount(0)
  await guest.locator('a[rel=prev]').click()
  await expect(tiles).toHaveCount(40)
  expect(new URL(guest.url()).search).toBe('')
  await tiles.first().click()
  await expect(guest.getByRole('heading', { name: 'sluice 41' })).toBeVisible()
  expect((await guest.goto('/?after=nonsense'))?.status()).toBe(404)
  await context.close()
})
