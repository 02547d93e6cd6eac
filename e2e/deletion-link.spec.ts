import { makeToken } from '#server/accounts/tokens/api-token.ts'
import { picture } from '../testing/images/pictures.ts'
import { api, expect, signIn, test } from './fixtures.ts'

test('a deletion link asks for confirmation, and moves the image to the trash', async ({
  page,
  sluice,
  createAccount,
  request,
}) => {
  const account = await createAccount()
  await signIn(page, account)
  const { token } = await api(page.request).token.create.mutate({
    name: 'ShareX',
    scopes: ['upload'],
    expiresInDays: 1,
  })
  const send = await request.post('/api/upload?filename=shot.png', {
    headers: { authorization: `Bearer ${token}`, 'content-type': 'image/png' },
    data: await picture({ format: 'png', width: 320, height: 200 }),
  })
  const { url, deletion_url: link }: { url: string; deletion_url: string } = await send.json()
  expect(link.startsWith(`${sluice.origin}/delete/`)).toBe(true)

  const answer = await request.get(link)
  expect([answer.status(), answer.headers()['referrer-policy'], answer.headers()['x-robots-tag']]).toEqual([
    200,
    'no-referrer',
    'noindex, nofollow',
  ])
  expect((await request.get(url)).status()).toBe(200)

  await page.context().clearCookies()
  await page.goto(link)
  await expect(page.getByRole('heading', { name: 'Delete this image?' })).toBeVisible()
  const thumbnail = page.getByRole('img', { name: 'shot' })
  await expect(thumbnail).toBeVisible()
  expect(await thumbnail.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBeGreaterThan(0)
  await page.getByRole('button', { name: 'Delete' }).click()
  await expect(page.getByRole('heading', { name: 'Image deleted' })).toBeVisible()
  await expect(page.getByText(/^Its links no longer work. The owner can restore it until /)).toBeVisible()
  expect((await request.get(url)).status()).toBe(404)

  const wrong = [link, `${link}x`, `${sluice.origin}/delete/${makeToken().token}`]
  for (const each of wrong) expect((await request.get(each)).status()).toBe(404)
  await page.getByRole('link', { name: 'Sign in to restore it' }).click()
  await expect(page).toHaveURL(/\/signin\?/)
  await signIn(page, account)
  const { items } = await api(page.request).image.list.query({ trash: true })
  expect(items.map(({ title }) => title)).toEqual(['shot'])
})

test('an owner who deletes an image by its link can restore it on the same page', async ({
  page,
  createAccount,
  request,
}) => {
  await signIn(page, await createAccount())
  const { token } = await api(page.request).token.create.mutate({ name: 'curl', scopes: ['upload'], expiresInDays: 1 })
  const send = await request.post('/api/upload?filename=shot.png', {
    headers: { authorization: `Bearer ${token}`, 'content-type': 'image/png' },
    data: await picture({ format: 'png', width: 320, height: 200 }),
  })
  const { url, page_url: imagePage, deletion_url: link } = await send.json()
  await page.goto(link)
  await page.getByRole('button', { name: 'Delete' }).click()
  await expect(page.getByRole('heading', { name: 'Image moved to trash' })).toBeVisible()
  expect((await request.get(url)).status()).toBe(404)
  await page.getByRole('button', { name: 'Restore' }).click()
  await expect(page.getByRole('heading', { name: 'Image restored' })).toBeVisible()
  expect((await request.get(url)).status()).toBe(200)
  await page.getByRole('link', { name: 'Go to image', exact: true }).click()
  await expect(page).toHaveURL(imagePage)
})

test('a deletion link works without script', async ({ page, sluice, browser, createAccount, request }) => {
  await signIn(page, await createAccount())
  const { token } = await api(page.request).token.create.mutate({ name: 'curl', scopes: ['upload'], expiresInDays: 1 })
  const send = await request.post('/api/upload?filename=shot.png', {
    headers: { authorization: `Bearer ${token}`, 'content-type': 'image/png' },
    data: await picture({ format: 'png', width: 320, height: 200 }),
  })
  const { url, deletion_url: link }: { url: string; deletion_url: string } = await send.json()
  const context = await browser.newContext({ baseURL: sluice.origin, javaScriptEnabled: false })
  const guest = await context.newPage()
  await guest.goto(link)
  await guest.getByRole('button', { name: 'Delete' }).click()
  await expect(guest.getByRole('heading', { name: 'Image deleted' })).toBeVisible()
  expect((await request.get(url)).status()).toBe(404)
  await context.close()
})
