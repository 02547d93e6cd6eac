import { startSluiceServer } from '../testing/sluice-server.ts'
import { api, expect, signIn, test } from './fixtures.ts'

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
  await password.press('Enter')
  expect(page.url()).not.toContain('?')
  release()
  await page.waitForLoadState('networkidle')
  expect([await name.inputValue(), await password.inputValue()]).toEqual([account.username, account.password])
  await password.press('Enter')
  await expect(page.getByRole('heading', { name: 'Your images' })).toBeVisible()
})

test('a form without JavaScript states that it needs it, and sends nothing', async ({ browser, sluice }) => {
  const context = await browser.newContext({ javaScriptEnabled: false, baseURL: sluice.origin })
  const page = await context.newPage()
  await page.goto('/signin')
  // Playwright cannot find this by text.
  await expect(page.locator('noscript > p')).toBeVisible()
  await page.getByLabel('Password', { exact: true }).fill('a password of somebody')
  await page.getByRole('button', { name: 'Sign in' }).click()
  expect(page.url()).toBe(`${sluice.origin}/signin`)
  await context.close()
})

test('an owner who leaves out the setup code is told where to find it', async ({ page }) => {
  await using server = await startSluiceServer({})
  await page.goto(`${server.origin}/setup`)
  await page.getByRole('textbox', { name: 'User name' }).fill('ada')
  await page.getByLabel('Password', { exact: true }).fill('a lock on the old canal')
  await page.getByRole('button', { name: 'Create owner account' }).click()
  await expect(page.getByText('Enter the setup code from the server log.')).toBeVisible()
  await expect(page.getByLabel('Setup code')).toHaveAttribute('aria-invalid', 'true')
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
