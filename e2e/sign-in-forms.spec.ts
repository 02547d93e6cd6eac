import { startSluiceServer } from '../testing/sluice/sluice-server.ts'
import { api, expect, signIn, signInBy, test } from './fixtures.ts'
import { findBarriers, weighScripts } from './page-checks.ts'

test('input typed before the script has loaded is kept, and never sent in a URL', async ({ page, createAccount }) => {
  const account = await createAccount()
  const { promise: released, resolve: release } = Promise.withResolvers<void>()
  await page.route('**/_next/static/**/*.js', async (route) => {
    await released
    await route.continue()
  })
  await page.goto('/signin', { waitUntil: 'commit' })
  const name = page.getByRole('textbox', { name: 'User name' })
  const password = page.getByLabel('Password', { exact: true })
  await name.fill(account.username)
  await password.fill(account.password)
  release()
  await expect(page.getByRole('button', { name: 'Show password' })).toBeVisible()
  expect([await name.inputValue(), await password.inputValue()]).toEqual([account.username, account.password])
  await password.press('Enter')
  await expect(page.getByRole('heading', { name: 'Your images' })).toBeVisible()
  expect(page.url()).not.toContain('?')
})

test.describe('without JavaScript', () => {
  test.use({ javaScriptEnabled: false })

  test('signing in works, and a failure is shown with the name that was typed', async ({ page, createAccount }) => {
    const account = await createAccount()
    await page.goto('/signin?next=/account')
    await page.getByLabel('User name').fill(account.username)
    await page.getByLabel('Password', { exact: true }).fill('not the password')
    await page.getByRole('button', { name: 'Sign in' }).click()
    await expect(page).toHaveURL('/signin?next=%2Faccount')
    await expect(page.getByRole('alert').filter({ hasText: 'Wrong user name or password.' })).toBeVisible()
    await expect(page.getByLabel('User name')).toHaveValue(account.username)
    await expect(page.getByLabel('Password', { exact: true })).toHaveValue('')
    await page.getByLabel('Password', { exact: true }).fill(account.password)
    await page.getByRole('button', { name: 'Sign in' }).click()
    await expect(page).toHaveURL('/account')
    const cookies = await page.context().cookies()
    const session = cookies.find(({ name }) => name === 'next-auth.session-token')
    expect(session).toMatchObject({ httpOnly: true, sameSite: 'Lax', path: '/' })
    expect(cookies.map(({ name }) => name).sort()).toEqual(['next-auth.session-token', 'sluice.device'])
  })

  test('a limit is shown with what it allows and when it ends', async ({ page, createAccount }) => {
    const { username } = await createAccount()
    const refused = page.getByText('Limit reached', { exact: true })
    for (let count = 0; count <= 10; count += 1) {
      await expect(refused).toHaveCount(0)
      await page.goto('/signin')
      await page.getByLabel('User name').fill(username)
      await page.getByLabel('Password', { exact: true }).fill('not the password')
      await page.getByRole('button', { name: 'Sign in' }).click()
    }
    await expect(refused).toBeVisible()
    await expect(page.getByText('Failed sign-ins: 10 per minute', { exact: true })).toBeVisible()
    await expect(page.getByText(/^Try again in \d+ s$/)).toBeVisible()
  })

  test('an invited user signs up', async ({ page, playwright, sluice, owner }) => {
    const request = await playwright.request.newContext({ baseURL: sluice.origin })
    await signInBy(request, owner)
    const { url } = await api(request).invite.create.mutate({ uses: 1, days: 1 })
    await request.dispose()
    await page.goto(url)
    await page.getByLabel('User name').fill(owner.username)
    await page.getByLabel('Password', { exact: true }).fill('four unrelated words')
    await page.getByRole('button', { name: 'Create account' }).click()
    await expect(page.getByText('This user name is taken.')).toBeVisible()
    await page.getByLabel('User name').fill('invited-without-script')
    await page.getByLabel('Password', { exact: true }).fill('four unrelated words')
    await page.getByRole('button', { name: 'Create account' }).click()
    await expect(page).toHaveURL('/')
    await page.goto('/account')
    await expect(page).toHaveURL('/account')
  })

  test('a one-time link sets a password', async ({ page, playwright, sluice, owner }) => {
    const request = await playwright.request.newContext({ baseURL: sluice.origin })
    await signInBy(request, owner)
    const { link } = await api(request).user.create.mutate({ username: 'linked-without-script', role: 'user' })
    await request.dispose()
    await page.goto(link?.url ?? '')
    await page.getByLabel('Password', { exact: true }).fill('four unrelated words')
    await page.getByLabel('Repeat password').fill('four unrelated word')
    await page.getByRole('button', { name: 'Set password and sign in' }).click()
    await expect(page.getByText('The passwords do not match.')).toBeVisible()
    await page.getByLabel('Password', { exact: true }).fill('four unrelated words')
    await page.getByLabel('Repeat password').fill('four unrelated words')
    await page.getByRole('button', { name: 'Set password and sign in' }).click()
    await expect(page).toHaveURL('/')
    await page.goto('/account')
    await expect(page).toHaveURL('/account')
  })
})

test('a form leads to no other site, and is refused from one', async ({ request, createAccount }) => {
  const account = { ...(await createAccount()) }
  const post = (form: Record<string, string>, headers: Record<string, string> = {}) =>
    request.post('/api/auth/form/sign-in', { form, headers, maxRedirects: 0 })
  for (const next of [
    'https://evil.example/',
    '//evil.example',
    '/.//evil.example',
    '/\\evil.example',
    'javascript:1',
  ]) {
    const answer = await post({ ...account, next })
    expect([answer.status(), answer.headers().location]).toEqual([303, '/'])
  }
  const wrong = await post({ ...account, password: 'x', next: '//evil.example/"><b>' })
  expect(wrong.headers().location).toBe('/signin?next=%2F%2Fevil.example%2F%22%3E%3Cb%3E')
  const foreign = await post(account, { origin: 'https://evil.example' })
  expect([foreign.status(), foreign.headers()['set-cookie']]).toEqual([403, undefined])
  expect((await request.post('/api/auth/form/nothing', { form: account })).status()).toBe(404)
  expect((await request.post('/api/auth/form/sign-in', { data: account })).status()).toBe(400)
})

test('an owner who leaves out the setup code is told where to find it, and needs no JavaScript', async ({
  page,
  browser,
}) => {
  await using server = await startSluiceServer({})
  const scripts = weighScripts(page)
  await page.goto(`${server.origin}/setup`)
  await page.getByRole('textbox', { name: 'User name' }).fill('ada')
  await page.getByLabel('Password', { exact: true }).fill('a lock on the old canal')
  await page.getByRole('button', { name: 'Create owner account' }).click()
  await expect(page.getByText('Enter the setup code from the server log.')).toBeVisible()
  await expect(page.getByLabel('Setup code')).toHaveAttribute('aria-invalid', 'true')
  expect(scripts.total()).toBeLessThan(162_000)
  expect(await findBarriers(page)).toEqual([])

  const context = await browser.newContext({ javaScriptEnabled: false, baseURL: server.origin })
  const plain = await context.newPage()
  await plain.goto('/setup')
  await plain.getByLabel('Setup code').fill(/with the code (\S+)/.exec(server.messages.join('\n'))?.[1] ?? '')
  await plain.getByLabel('User name').fill('ada')
  await plain.getByLabel('Password', { exact: true }).fill('a lock on the old canal')
  await plain.getByRole('button', { name: 'Create owner account' }).click()
  await expect(plain).toHaveURL(`${server.origin}/`)
  await plain.goto('/account')
  await expect(plain).toHaveURL(`${server.origin}/account`)
  await context.close()
})

test('a used-up invite is reported before a password is chosen', async ({ page, browser, sluice, createAccount }) => {
  await signIn(page, await createAccount({ role: 'admin' }))
  const { url, id } = await api(page.request).invite.create.mutate({ uses: 1, days: 1 })
  const context = await browser.newContext({ baseURL: sluice.origin })
  const guest = await context.newPage()
  await guest.goto(url)
  await expect(guest.getByRole('heading', { name: 'Create your account' })).toBeVisible()
  await api(page.request).invite.revoke.mutate({ id })
  await guest.reload()
  await expect(guest.getByRole('heading', { name: 'This invite is no longer valid' })).toBeVisible()
  await expect(guest.getByLabel('Password', { exact: true })).toHaveCount(0)
  await context.close()
})
