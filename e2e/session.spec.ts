import { picture } from '../testing/images/pictures.ts'
import { startSluiceServer } from '../testing/sluice/sluice-server.ts'
import { api, expect, signIn, test } from './fixtures.ts'

const SESSION = 'next-auth.session-token'

test('a session cookie is HttpOnly, and new at every sign-in', async ({ page, context, sluice, createAccount }) => {
  const account = await createAccount()
  const fixed = { name: SESSION, value: 'fixed-by-somebody-else', url: sluice.origin }
  await context.addCookies([fixed])
  await signIn(page, account)
  const session = (await context.cookies()).find((cookie) => cookie.name === SESSION)
  expect(session).toMatchObject({ httpOnly: true, sameSite: 'Lax', path: '/', secure: false })
  expect(session?.value).not.toBe(fixed.value)

  await signIn(page, account)
  const next = (await context.cookies()).find((cookie) => cookie.name === SESSION)
  expect(next?.value).not.toBe(session?.value)
  await page.goto('/')
  expect(page.url()).not.toContain(session?.value)
})

test('a session cookie of an https site is Secure', async ({ playwright }) => {
  await using server = await startSluiceServer({ env: { SLUICE_ORIGIN: 'https://img.example' } })
  const address = `http://127.0.0.1:${server.port}`
  const request = await playwright.request.newContext({ baseURL: address })
  const answer = await request.get('/api/auth/csrf')
  const cookies = answer.headersArray().filter(({ name }) => name.toLowerCase() === 'set-cookie')
  expect(cookies.length).toBeGreaterThan(0)
  for (const { value } of cookies) expect(value).toMatch(/^__(Host|Secure)-.*; HttpOnly; Secure; SameSite=Lax$/)
  expect((await request.get('/signin')).headers()['strict-transport-security']).toBe('max-age=31536000')
  await request.dispose()
})

test('a signed-out session is invalid, even with its old cookie', async ({
  page,
  context,
  playwright,
  sluice,
  createAccount,
}) => {
  await signIn(page, await createAccount())
  const kept = (await context.cookies()).map(({ name, value }) => `${name}=${value}`).join('; ')
  const thief = await playwright.request.newContext({ baseURL: sluice.origin, extraHTTPHeaders: { cookie: kept } })
  expect((await thief.get('/api/trpc/account.sessions')).status()).toBe(200)

  const { csrfToken }: { csrfToken: string } = await (await page.request.get('/api/auth/csrf')).json()
  await page.request.post('/api/auth/signout', { form: { csrfToken, json: 'true' } })
  expect((await thief.get('/api/trpc/account.sessions')).status()).toBe(401)
  expect(await (await thief.get('/api/auth/session')).json()).toEqual({})
  await thief.dispose()
})

test('a tab follows a change of account in another tab', async ({ page, context, createAccount }) => {
  const [before, now] = [await createAccount(), await createAccount()]
  await signIn(page, before)
  await page.goto('/')
  await expect(page.getByRole('button', { name: `Account ${before.username}` })).toBeVisible()
  const other = await context.newPage()
  await signIn(other, now)
  await other.goto('/account')
  await expect(page.getByRole('button', { name: `Account ${now.username}` })).toBeVisible()
  await expect(other.getByRole('button', { name: `Account ${now.username}` })).toBeVisible()
  await expect(other).toHaveURL(/account$/)
})

test('a sign-in or sign-out posted by a page of another site is refused, whatever its token', async ({
  request,
  createAccount,
}) => {
  const account = await createAccount()
  const { csrfToken }: { csrfToken: string } = await (await request.get('/api/auth/csrf')).json()
  const form = { ...account, csrfToken, json: 'true' }
  for (const path of ['/api/auth/callback/credentials', '/api/auth/signout']) {
    const answer = await request.post(path, { form, headers: { origin: 'https://evil.example' } })
    expect(answer.status()).toBe(403)
    expect(answer.headers()['set-cookie']).toBeUndefined()
  }
  expect((await request.post('/api/auth/callback/credentials', { form })).status()).toBe(200)
})

test('a wrong password and an unknown account get the same message', async ({ page, createAccount }) => {
  const { username } = await createAccount()
  const words: string[] = []
  for (const name of [username, 'nobody-of-that-name']) {
    await page.goto('/signin')
    await page.getByLabel('User name').fill(name)
    await page.getByLabel('Password', { exact: true }).fill('not the password')
    await page.getByRole('button', { name: 'Sign in' }).click()
    words.push((await page.getByRole('alert').filter({ hasText: /\S/ }).first().textContent()) ?? '')
    await expect(page.getByLabel('User name')).toHaveValue(name)
  }
  expect(words[0]).toBe(words[1])
})

test('a ban applies from the next request on', async ({ page, owner, createAccount, playwright, sluice }) => {
  const account = await createAccount()
  await signIn(page, account)
  await page.goto('/')
  await expect(page).toHaveURL('/')

  const admin = await playwright.request.newContext({ baseURL: sluice.origin })
  const { csrfToken }: { csrfToken: string } = await (await admin.get('/api/auth/csrf')).json()
  await admin.post('/api/auth/callback/credentials', { form: { ...owner, csrfToken, json: 'true' } })
  const [user] = (await api(admin).user.list.query({ search: account.username })).items
  await api(admin).user.ban.mutate({ id: user?.id ?? '' })
  await admin.dispose()

  await page.goto('/account')
  await expect(page).toHaveURL(/\/signin/)
})

test('a user who was signed out can sign in again without losing input', async ({ page, context, createAccount }) => {
  const account = await createAccount()
  await signIn(page, account)
  const bytes = await picture({ width: 300, height: 200 })
  const { slug } = await api(page.request).image.upload.mutate(new File([new Uint8Array(bytes)], 'ridge.jpg'))
  await page.goto(`/image/${slug}`)
  await page.getByRole('button', { name: 'Edit title' }).click()
  await page.getByRole('textbox', { name: 'Title' }).fill('a weir in spring')
  await context.clearCookies()
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByText('You are signed out.')).toBeVisible()
  const [door] = await Promise.all([
    page.waitForEvent('popup'),
    page.getByRole('link', { name: 'Sign in in another tab' }).click(),
  ])
  await signIn(door, account)
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByRole('heading', { name: 'a weir in spring' })).toBeVisible()

  await context.clearCookies()
  await page.getByRole('button', { name: 'Move to trash' }).click()
  const told = page.getByRole('alertdialog').filter({ hasText: '1 image not moved to trash.' })
  await told.getByRole('button', { name: 'Sign in' }).click()
  await expect(page).toHaveURL(new RegExp(`/signin\\?next=%2Fimage%2F${slug}$`))
})
