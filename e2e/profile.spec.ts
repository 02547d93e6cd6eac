import { picture } from '../testing/images/pictures.ts'
import { api, expect, signIn, test } from './fixtures.ts'

test.use({ settings: { SLUICE_GALLERY: 'on' } })

test('a user opens a profile page, which guests read without script, and closes it', async ({
  page,
  browser,
  sluice,
  createAccount,
}) => {
  await signIn(page, await createAccount())
  const { account, album, image, tag } = api(page.request)
  await account.setDisplayName.mutate({ displayName: 'Ann Lee' })
  const ids = []
  for (const [seed, visibility] of (['public', 'public', 'link'] as const).entries()) {
    const bytes = await picture({ width: 60, height: 40, seed: 700 + seed })
    const { id } = await image.upload.mutate(new File([new Uint8Array(bytes)], `quay ${seed}.jpg`))
    await image.update.mutate({ id, visibility })
    ids.push(id)
  }
  const [first = ''] = ids
  await tag.add.mutate({ images: [first], tags: ['harbour'] })
  const { id } = await album.create.mutate({ title: 'Summer', visibility: 'public' })
  await album.add.mutate({ id, images: [first] })

  await page.goto('/account')
  await page.getByRole('checkbox', { name: 'Show a profile page' }).check()
  await page.getByRole('button', { name: 'Save profile page' }).click()
  await expect(page.getByText('Enter a name for the address.')).toBeVisible()
  await page.getByRole('textbox', { name: 'Address' }).fill('ann-lee')
  await page.getByRole('textbox', { name: 'About you' }).fill('Boats and quays')
  await page.getByRole('button', { name: 'Save profile page' }).click()
  await expect(page.getByText('Profile page opened.')).toBeVisible()
  await expect(page.getByRole('link', { name: 'View profile page' })).toHaveAttribute('href', '/u/ann-lee')

  const context = await browser.newContext({
    baseURL: sluice.origin,
    javaScriptEnabled: false,
    extraHTTPHeaders: { 'x-forwarded-for': '198.51.100.79' },
  })
  const guest = await context.newPage()
  await guest.goto('/u/Ann-Lee')
  await expect(guest.getByRole('heading', { level: 1, name: 'Ann Lee' })).toBeVisible()
  await expect(guest.getByText('Boats and quays')).toBeVisible()
  await expect(guest.getByRole('link', { name: 'Summer' })).toBeVisible()
  const tiles = guest.getByRole('list', { name: 'Images' }).getByRole('link')
  await expect(tiles).toHaveCount(2)
  await expect(guest.locator('link[rel=canonical]')).toHaveAttribute('href', `${sluice.origin}/u/ann-lee`)
  await expect(guest.locator('meta[name=robots]')).toHaveAttribute('content', 'noindex')

  await guest.goto('/?tag=harbour')
  await expect(tiles).toHaveCount(1)
  await guest.getByRole('link', { name: 'Remove filter harbour' }).click()
  await guest.getByRole('navigation', { name: 'Filters' }).getByRole('link', { name: 'Ann Lee' }).click()
  await expect(guest).toHaveURL(/owner=/)
  await expect(tiles).toHaveCount(2)
  await guest.getByRole('navigation', { name: 'Filters' }).getByRole('link', { name: 'harbour', exact: true }).click()
  await expect(tiles).toHaveCount(1)
  await tiles.first().click()
  await guest.getByRole('link', { name: 'harbour' }).click()
  await expect(guest).toHaveURL(/tag=harbour/)
  await guest.goto('/?tag=nothing')
  await expect(guest.getByText('No public images match these filters.')).toBeVisible()
  expect((await guest.goto('/?owner=nonsense'))?.status()).toBe(404)

  await page.getByRole('checkbox', { name: 'Show a profile page' }).uncheck()
  await page.getByRole('button', { name: 'Save profile page' }).click()
  await expect(page.getByText('Profile page closed.')).toBeVisible()
  const closed = await guest.goto('/u/ann-lee')
  const nobody = await guest.request.get('/u/nobody-at-all')
  expect([closed?.status(), nobody.status()]).toEqual([404, 404])
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect(page.getByRole('checkbox', { name: 'Show a profile page' })).toBeChecked()
  expect((await guest.goto('/u/ann-lee'))?.status()).toBe(200)
  await context.close()
})
