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

test('an admin sees why a call of somebody passes, and when', async ({ page, createAccount }) => {
  const { username } = await createAccount()
  await signIn(page, await createAccount({ role: 'admin' }))
  await page.goto('/admin/limits')
  const section = page.getByRole('region', { name: 'Explain a call' })
  await section.getByLabel('Procedure or route').fill('image.download')
  await section.getByLabel('Caller').fill(username)
  await section.getByRole('button', { name: 'Explain' }).click()
  await expect(section.getByText(`The next call by ${username} passes.`)).toBeVisible()
  const rules = section.getByRole('list', { name: 'Rules' }).getByRole('listitem')
  await expect(rules.filter({ hasText: '0 of 100 used, 100 left' }).first()).toContainText('passes now')
  await expect(section.getByText('counts an argument of the call')).toBeVisible()
  // The address can be sent.
  await page.reload()
  await expect(section.getByText(`The next call by ${username} passes.`)).toBeVisible()
  await section.getByLabel('Caller').fill('nobody.at.all')
  await section.getByRole('button', { name: 'Explain' }).click()
  await expect(section.getByText('There is no such user or token.')).toBeVisible()
})
