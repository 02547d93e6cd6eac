import { expect, signIn, test } from './fixtures.ts'

// Its own server, because the figures of the last minute include everyone's calls.
test.use({ settings: { SLUICE_GALLERY: 'off' } })

test('figures move while calls are made, by stream and without it', async ({ page, request, createAccount }) => {
  await signIn(page, await createAccount({ role: 'admin' }))
  await page.goto('/admin/limits#set-view')
  await expect(page.getByRole('status').filter({ hasText: 'Live' })).toBeVisible()
  const view = page.locator('#set-view')
  const allowed = async () => {
    const words = await view
      .getByText(/^[\d,]+ allowed/)
      .last()
      .textContent()
    return Number(words?.replaceAll(',', '').match(/^\d+/)?.[0])
  }
  const call = () => request.get(`/i/${'A'.repeat(22)}.png?w=320`)
  await Promise.all(Array.from({ length: 20 }, call))
  await expect.poll(allowed).toBe(20)

  await page.route('**/api/trpc/limits.live*', (route) => route.fulfill({ status: 503, body: '' }))
  await page.reload()
  await expect(page.getByRole('status').filter({ hasText: 'Every 3 s' })).toBeVisible()
  await Promise.all(Array.from({ length: 20 }, call))
  await expect.poll(allowed).toBe(40)
})
