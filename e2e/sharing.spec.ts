import type { Page } from '@playwright/test'
import { picture } from '../testing/images/pictures.ts'
import { api, expect, signIn, test } from './fixtures.ts'

/** Uploads private pictures, and opens the page of the first. */
async function uploadPrivate(page: Page, amount: number): Promise<readonly string[]> {
  const { image } = api(page.request)
  const ids: string[] = []
  for (let at = 0; at < amount; at += 1) {
    const bytes = await picture({ width: 1200, height: 800, seed: 600 + at })
    const { id } = await image.upload.mutate(new File([new Uint8Array(bytes)], `secret-${at}.jpg`))
    await image.update.mutate({ id, title: `View ${at}`, visibility: 'private' })
    ids.push(id)
  }
  return ids
}

/** Makes an album of these images. */
async function makeAlbum(page: Page, images: readonly string[], visibility: 'private' | 'public' = 'private') {
  const { album } = api(page.request)
  const { id, url } = await album.create.mutate({ title: 'The sea', visibility })
  await album.add.mutate({ id, images: [...images] })
  return { id, url }
}

const isLoaded = (image: HTMLImageElement) => image.complete && image.naturalWidth > 0

test('a private image is shared with a password, changed, and revoked', async ({
  page,
  createAccount,
  browser,
  sluice,
}) => {
  await signIn(page, await createAccount())
  const [id = ''] = await uploadPrivate(page, 1)
  const { slug } = await api(page.request).image.get.query({ id })
  await page.goto(`/image/${slug}`)
  await page.getByRole('button', { name: 'Share…' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Title', { exact: true }).fill('For Grandma')
  await dialog.getByLabel('Password', { exact: true }).fill('open sesame')
  await dialog.getByLabel('Guests may download originals').check()
  const views = dialog.getByLabel('Views')
  await views.fill('ten')
  await dialog.getByRole('button', { name: 'Create link' }).click()
  await expect(views).toBeFocused()
  await expect(views).toHaveAccessibleDescription('Enter a whole number from 1 to 1,000,000.')
  await views.fill('')
  await dialog.getByRole('button', { name: 'Create link' }).click()
  const link = (await dialog.getByLabel('Link', { exact: true }).textContent()) ?? ''
  expect(link).toMatch(/\/s\/[\w-]{24}$/)
  await dialog.getByRole('button', { name: 'QR code' }).click()
  await expect(dialog.getByRole('img', { name: 'QR code of the link' })).toBeVisible()
  await dialog.getByRole('link', { name: 'All shares' }).click()
  await expect(page.getByRole('heading', { name: 'For Grandma' })).toBeVisible()

  const guests = await browser.newContext({ baseURL: sluice.origin })
  const guest = await guests.newPage()
  const requested: string[] = []
  guest.on('request', (request) => requested.push(request.url()))
  const answer = await guest.goto(link)
  expect(answer?.headers()['referrer-policy']).toBe('no-referrer')
  expect(answer?.headers()['x-robots-tag']).toBe('noindex, nofollow')
  expect(await guest.content()).not.toContain('Grandma')
  await guest.getByLabel('Password', { exact: true }).fill('wrong')
  await guest.getByRole('button', { name: 'Open' }).click()
  await expect(guest.getByText('Wrong password.')).toBeVisible()
  await guest.getByLabel('Password', { exact: true }).fill('open sesame')
  await guest.getByRole('button', { name: 'Open' }).click()
  await expect(guest.getByRole('heading', { name: 'View 0' })).toBeVisible()
  await expect.poll(() => guest.getByRole('img', { name: 'View 0' }).evaluate(isLoaded)).toBe(true)
  const download = guest.waitForEvent('download')
  await guest.getByRole('link', { name: 'Download original' }).click()
  expect((await download).suggestedFilename()).toBe('View 0.jpg')
  // The token is part of no address but the page's own.
  const token = link.split('/').at(-1) ?? ''
  expect(requested.filter((url) => url.includes(token) && !url.startsWith(link))).toEqual([])

  await page.reload()
  await page.getByRole('button', { name: 'Change For Grandma' }).click()
  await page.getByRole('dialog').getByLabel('Remove the password').check()
  await page.getByRole('dialog').getByLabel('Limits of the link').selectOption('A forum')
  await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click()
  await expect(page.getByText('20,000 per hour')).toBeVisible()
  await page.getByRole('button', { name: 'Use of For Grandma' }).click()
  await expect(page.getByText('Requests an hour')).toBeVisible()

  const stranger = await (await browser.newContext({ baseURL: sluice.origin })).newPage()
  const gate = Promise.withResolvers<void>()
  await stranger.route('**/i/s/**', async (route) => {
    await gate.promise
    await route.continue()
  })
  await stranger.goto(link, { waitUntil: 'domcontentloaded' })
  await expect(stranger.getByRole('heading', { name: 'View 0' })).toBeVisible()
  const shown = stranger.getByRole('img', { name: 'View 0' })
  const place = await shown.boundingBox()
  gate.resolve()
  await expect.poll(() => shown.evaluate(isLoaded)).toBe(true)
  expect(await shown.boundingBox()).toEqual(place)
  await page.getByRole('button', { name: 'Revoke For Grandma' }).click()
  await page.getByRole('button', { name: 'Revoke share' }).click()
  await expect(page.getByText('Share revoked.')).toBeVisible()
  expect((await stranger.reload())?.status()).toBe(404)
})

test('a share is handed to the device, where it has a share sheet', async ({ page, createAccount }) => {
  await signIn(page, await createAccount())
  const [id = ''] = await uploadPrivate(page, 1)
  const { slug } = await api(page.request).image.get.query({ id })
  const makeShare = async () => {
    await page.goto(`/image/${slug}`)
    await page.getByRole('button', { name: 'Share…' }).click()
    await dialog.getByLabel('Title', { exact: true }).fill('For Grandma')
    await dialog.getByRole('button', { name: 'Create link' }).click()
    return await dialog.getByLabel('Link', { exact: true }).textContent()
  }
  const dialog = page.getByRole('dialog')
  const send = dialog.getByRole('button', { name: 'Send…' })

  await page.addInitScript(() => Reflect.deleteProperty(Navigator.prototype, 'share'))
  await makeShare()
  await expect(dialog.getByRole('button', { name: 'QR code' })).toBeVisible()
  await expect(send).toHaveCount(0)

  const handed: ShareData[] = []
  await page.exposeFunction('hand', (data: ShareData) => handed.push(data))
  await page.addInitScript(() =>
    Object.assign(navigator, { share: (data: ShareData) => Reflect.get(window, 'hand')(data) }),
  )
  const link = await makeShare()
  await send.click()
  await expect.poll(() => handed).toEqual([{ url: link, title: 'For Grandma' }])

  const failure = page.getByText('Could not open the share sheet.')
  const refuse = (name: string) =>
    page.evaluate((error) => {
      Object.assign(navigator, { share: () => Promise.reject(new DOMException('', error)) })
    }, name)
  await refuse('NotAllowedError')
  await send.click()
  await expect(failure).toBeVisible()
  await page.getByRole('region', { name: 'notification' }).getByRole('button', { name: 'Dismiss' }).click()
  await expect(failure).toHaveCount(0)
  // Closed by the user, which is no failure.
  await refuse('AbortError')
  await send.click()
  await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))))
  await expect(failure).toHaveCount(0)
})

test('a selection is shared for one view, which only a press of Open takes', async ({
  page,
  createAccount,
  browser,
  sluice,
}) => {
  await signIn(page, await createAccount())
  const ids = await uploadPrivate(page, 3)
  const { url: link } = await api(page.request).share.create.mutate({ target: { images: [...ids] }, maxViews: 1 })
  await page.goto('/shares')
  await expect(page.getByText('0 of 1 view')).toBeVisible()

  // Without script, and after programs that preview the link.
  const guests = await browser.newContext({ baseURL: sluice.origin, javaScriptEnabled: false })
  for (const method of ['HEAD', 'GET']) expect((await guests.request.fetch(link, { method })).status()).toBe(200)
  const guest = await guests.newPage()
  await guest.goto(link)
  await guest.getByRole('button', { name: 'Open' }).click()
  await expect(guest.getByRole('heading', { name: 'Shared images' })).toBeVisible()
  await guest.getByRole('link', { name: 'View 1' }).click()
  await expect(guest.getByRole('heading', { name: 'View 1' })).toBeVisible()
  await guest.getByRole('link', { name: 'Next image' }).click()
  await expect(guest.getByRole('heading', { name: 'View 2' })).toBeVisible()
  await guest.getByRole('link', { name: 'All images' }).click()
  await expect(guest.getByRole('heading', { name: 'Shared images' })).toBeVisible()
  await guest.reload()
  await expect(guest.getByRole('list', { name: 'Images' }).getByRole('listitem')).toHaveCount(3)

  const others = await browser.newContext({ baseURL: sluice.origin })
  expect((await others.request.get(link)).status()).toBe(404)
  await page.reload()
  await expect(page.getByText('Views used up')).toBeVisible()
})

test('a shared image is shown whole, and one that is very tall as wide as it is', async ({
  page,
  createAccount,
  browser,
  sluice,
}) => {
  await signIn(page, await createAccount())
  const guests = await browser.newContext({ baseURL: sluice.origin, viewport: { width: 1280, height: 700 } })
  const guest = await guests.newPage()
  for (const [width, height, shown] of [
    [800, 1600, { width: 266, height: 532 }],
    [240, 2400, { width: 240, height: 2400 }],
  ] as const) {
    const bytes = await picture({ width, height, seed: 620 })
    const { id } = await api(page.request).image.upload.mutate(new File([new Uint8Array(bytes)], 'tower.jpg'))
    await guest.goto((await api(page.request).share.create.mutate({ target: { images: [id] } })).url)
    await expect.poll(() => guest.getByRole('img', { name: 'tower' }).boundingBox()).toMatchObject(shown)
  }
  await guests.close()
})

test('a link that has used up its limit says when it comes back, and others go on', async ({
  page,
  createAccount,
  browser,
  sluice,
}) => {
  await signIn(page, await createAccount())
  const [id = ''] = await uploadPrivate(page, 1)
  const target = { images: [id] }
  const { url: viral } = await api(page.request).share.create.mutate({ target, limits: { requestsPerHour: 3 } })
  const { url: other } = await api(page.request).share.create.mutate({ target })
  const guests = await browser.newContext({ baseURL: sluice.origin })
  for (let at = 0; at < 3; at += 1) expect((await guests.request.get(viral)).status()).toBe(200)
  const guest = await guests.newPage()
  const refused = await guest.goto(viral)
  expect(refused?.status()).toBe(429)
  expect(Number(refused?.headers()['retry-after'])).toBeGreaterThan(60)
  await expect(guest.getByText('3 per hour')).toBeVisible()
  await guest.goto(other)
  await expect.poll(() => guest.getByRole('img', { name: 'View 0' }).evaluate(isLoaded)).toBe(true)
})

test('an album is shared with a password for two views: two people look, at variants until originals are allowed, and until it is revoked', async ({
  page,
  createAccount,
  browser,
  sluice,
}) => {
  await signIn(page, await createAccount())
  const { album, share } = api(page.request)
  const [late = '', ...images] = await uploadPrivate(page, 3)
  const { id: albumId } = await makeAlbum(page, images)
  const target = { album: albumId }
  const { id, url: link } = await share.create.mutate({ target, password: 'open sesame', maxViews: 2 })

  const open = async (javaScriptEnabled: boolean) => {
    const guest = await (await browser.newContext({ baseURL: sluice.origin, javaScriptEnabled })).newPage()
    await guest.goto(link)
    await guest.getByLabel('Password', { exact: true }).fill('open sesame')
    await guest.getByRole('button', { name: 'Open' }).click()
    await expect(guest.getByRole('heading', { name: 'The sea' })).toBeVisible()
    return guest
  }
  const [one, two] = [await open(false), await open(true)]
  const third = await (await browser.newContext({ baseURL: sluice.origin })).newPage()
  expect((await third.goto(link))?.status()).toBe(404)

  await two.getByRole('link', { name: 'View 1' }).click()
  const shown = two.getByRole('img', { name: 'View 1' })
  await expect.poll(() => shown.evaluate(isLoaded)).toBe(true)
  await expect(two.getByRole('link', { name: 'Download original' })).toHaveCount(0)
  const variant = (await shown.getAttribute('src')) ?? ''
  const original = variant.replace(/\?.*/, '')
  const statuses = async (by: Page) => [
    (await by.request.get(variant)).status(),
    (await by.request.get(original)).status(),
    (await by.request.get(original.replace(/[^/]*$/, 'zip'))).status(),
  ]
  expect([await statuses(two), await statuses(one), await statuses(third)]).toEqual([
    ...[
      [200, 404, 404],
      [200, 404, 404],
    ],
    [401, 401, 404],
  ])

  await album.add.mutate({ id: albumId, images: [late] })
  await share.update.mutate({ id, originals: true })
  await one.reload()
  await expect(one.getByRole('list', { name: 'Images' }).getByRole('listitem')).toHaveCount(3)
  const zip = one.waitForEvent('download')
  await one.getByRole('link', { name: 'Download all originals' }).click()
  expect((await zip).suggestedFilename()).toBe('images.zip')
  expect(await statuses(two)).toEqual([200, 200, 200])

  await page.goto('/shares')
  await page.getByRole('button', { name: 'Revoke The sea' }).click()
  await page.getByRole('button', { name: 'Revoke share' }).click()
  await expect(page.getByText('Share revoked.')).toBeVisible()
  await two.getByRole('link', { name: 'Next image' }).click()
  await expect(two.getByRole('heading', { name: 'Not found' })).toBeVisible()
  expect([(await one.reload())?.status(), await statuses(one), await statuses(two)]).toEqual([
    ...[404, [404, 404, 404]],
    [404, 404, 404],
  ])
})

test('a link ends at its time, while a guest looks', async ({ page, createAccount, browser, sluice }) => {
  await signIn(page, await createAccount())
  const { share } = api(page.request)
  const images = await uploadPrivate(page, 2)
  const expiresAt = new Date(Date.now() + 3_600_000).toISOString()
  const { id, url: link } = await share.create.mutate({ target: { images: [...images] }, expiresAt })
  const guest = await (await browser.newContext({ baseURL: sluice.origin })).newPage()
  await guest.goto(`${link}?at=0`)
  const shown = guest.getByRole('img', { name: 'View 0' })
  await expect.poll(() => shown.evaluate(isLoaded)).toBe(true)
  const address = (await shown.getAttribute('src')) ?? ''
  expect((await guest.request.get(address)).headers()['cache-control']).toBe('no-store')
  await share.update.mutate({ id, expiresAt: new Date(Date.now() - 1_000).toISOString() })
  await guest.getByRole('link', { name: 'Next image' }).click()
  await expect(guest.getByRole('heading', { name: 'Not found' })).toBeVisible()
  expect((await guest.request.get(address)).status()).toBe(404)
  await page.goto('/shares')
  await expect(page.getByText('Expired', { exact: true })).toBeVisible()
})

test('guests download a public album as a zip, without script too', async ({
  page,
  createAccount,
  browser,
  sluice,
}) => {
  await signIn(page, await createAccount())
  const ids = await uploadPrivate(page, 2)
  for (const id of ids) await api(page.request).image.update.mutate({ id, visibility: 'link' })
  const { url } = await makeAlbum(page, ids, 'public')
  for (const javaScriptEnabled of [true, false]) {
    const guest = await (await browser.newContext({ baseURL: sluice.origin, javaScriptEnabled })).newPage()
    await guest.goto(url)
    const zip = guest.waitForEvent('download')
    await guest.getByRole('button', { name: 'Download all originals' }).click()
    expect((await zip).suggestedFilename()).toMatch(/^images-.*\.zip$/)
  }
})
