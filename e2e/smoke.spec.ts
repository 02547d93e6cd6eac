import { expect, test } from './fixtures.ts'

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
