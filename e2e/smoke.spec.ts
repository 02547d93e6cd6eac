import { expect, signIn, test } from './fixtures.ts'

test('the server reports that it is healthy', async ({ request }) => {
  expect((await request.get('/healthz')).status()).toBe(200)
  expect((await request.get('/readyz')).status()).toBe(200)
})

test('the sign-in page renders under its content security policy', async ({ page }) => {
  const refused: string[] = []
  page.on('response', (answer) => {
    if (answer.status() >= 400) refused.push(`${answer.status()} ${answer.url()}`)
  })
  const answer = await page.goto('/signin')
  expect(answer?.status()).toBe(200)
  expect(answer?.headers()['content-security-policy']).toContain("default-src 'self'")
  await expect(page.getByRole('heading', { name: 'Sign in' })).toBeVisible()
  await expect(page.getByLabel('Password', { exact: true })).toBeVisible()
  await page.waitForLoadState('load')
  expect(refused).toEqual([])
})

test('a line answers a press on a link until its page is there', async ({ page, createAccount }) => {
  await signIn(page, await createAccount())
  await page.goto('/')
  const line = page.locator('.animate-progress')
  const { promise: released, resolve: release } = Promise.withResolvers<void>()
  await page.route(/\/albums(\?|$)/, async (route) => {
    await released
    await route.continue()
  })
  await page.getByRole('navigation').getByRole('link', { name: 'Albums' }).click()
  await expect(line).toBeVisible()
  release()
  await expect(page.getByRole('heading', { level: 1, name: 'Albums' })).toBeVisible()
  await expect(line).toHaveCount(0)
})

test('a page that is older than the server’s scripts offers to be reloaded', async ({
  page,
  createAccount,
  problems,
}) => {
  await signIn(page, await createAccount())
  await page.goto('/albums')
  await page.waitForLoadState('networkidle')
  await page.route('**/_next/static/chunks/**', (route) => route.fulfill({ status: 404, body: 'Not found' }))
  await page.keyboard.press('?')
  await expect(page.getByRole('heading', { name: 'Reload this page' })).toBeVisible()
  for (const problem of problems.splice(0)) expect(problem).toContain('ChunkLoadError')
  await page.unroute('**/_next/static/chunks/**')
  await page.getByRole('button', { name: 'Reload' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Albums' })).toBeVisible()
})
