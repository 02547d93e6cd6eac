import { api, expect, signIn, test } from './fixtures.ts'

/** Of documentation: nobody is in it. */
const RANGE = '192.0.2.0/24'

test('a superadmin shuts out a range, removes it, and takes that back', async ({ page, createAccount }) => {
  await signIn(page, await createAccount({ role: 'superadmin' }))
  await page.goto('/')
  await page.getByRole('link', { name: 'Admin', exact: true }).first().click()
  await page.getByRole('navigation', { name: 'Administration' }).getByRole('link', { name: 'Access' }).click()
  const addresses = page.getByRole('region', { name: 'Addresses' })
  await expect(addresses).toContainText('one from elsewhere must be let in')
  const statusThere = async () =>
    (await page.request.get('/healthz', { headers: { 'x-forwarded-for': '192.0.2.9' } })).status()
  const range = addresses.getByRole('listitem').filter({ hasText: RANGE })

  await addresses.getByRole('button', { name: 'Add an address or range' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Address or range').fill('192.0.2.77/24')
  await dialog.getByLabel('Note').fill('A trial')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect(dialog).toBeHidden()
  await expect(page.getByText(`${RANGE} is shut out.`)).toBeVisible()
  await expect(range).toContainText('shut out')
  await expect(range).toContainText('A trial')
  expect(await statusThere()).toBe(403)

  await range.getByRole('button', { name: `Remove ${RANGE}` }).click()
  await expect(range).toBeHidden()
  expect(await statusThere()).toBe(200)
  const removed = page.getByRole('alertdialog').filter({ hasText: `${RANGE} is removed.` })
  await removed.getByRole('button', { name: 'Undo' }).click()
  await expect(range).toContainText('A trial')
  expect(await statusThere()).toBe(403)
  await api(page.request).access.removeRule.mutate({ cidr: RANGE })
})

test('nobody shuts out their own address', async ({ page, createAccount }) => {
  await signIn(page, await createAccount({ role: 'superadmin' }))
  await page.goto('/admin/access')
  const { ownAddress } = await api(page.request).access.list.query()
  const addresses = page.getByRole('region', { name: 'Addresses' })
  await addresses.getByRole('button', { name: 'Add an address or range' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Address or range').fill(ownAddress)
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect(dialog.getByRole('alert')).toContainText(`That would shut out your own address, ${ownAddress}`)
  await dialog.getByLabel('Address or range').fill('nowhere')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect(dialog.getByRole('alert')).toContainText('must be an address, or a range')
  await page.keyboard.press('Escape')
  await expect(dialog).toBeHidden()
  expect((await api(page.request).access.list.query()).rules).toEqual([])
})

test('images are shown on named sites alone, and then on every site again', async ({ page, createAccount }) => {
  await signIn(page, await createAccount({ role: 'superadmin' }))
  await page.goto('/admin/access')
  const sites = page.getByRole('region', { name: 'Other sites' })
  const everySite = sites.getByRole('radio', { name: 'Every site' })
  const namedSites = sites.getByRole('radio', { name: 'Named sites' })
  const statusOn = async (site: string) =>
    (await page.request.get(`/i/${'A'.repeat(22)}.png`, { headers: { referer: `https://${site}/` } })).status()
  await expect(everySite).toBeChecked()

  await namedSites.check({ force: true })
  await sites.getByLabel('Sites', { exact: true }).fill('Friend.example\n*.friend.example')
  await sites.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByText('Images are shown on the named sites alone.')).toBeVisible()
  expect([await statusOn('friend.example'), await statusOn('evil.example')]).toEqual([404, 403])
  await page.reload()
  await expect(namedSites).toBeChecked()
  await expect(sites.getByLabel('Sites', { exact: true })).toHaveValue('friend.example\n*.friend.example')

  await everySite.check({ force: true })
  await sites.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByText('Images are shown on every site.')).toBeVisible()
  expect(await statusOn('evil.example')).toBe(404)
})

test('an admin does not learn that the page is there', async ({ page, createAccount }) => {
  await signIn(page, await createAccount({ role: 'admin' }))
  expect((await page.goto('/admin/access'))?.status()).toBe(404)
  await page.goto('/admin/users')
  await expect(page.getByRole('link', { name: 'Users' })).toBeVisible()
  await expect(page.getByRole('link', { name: 'Access' })).toHaveCount(0)
})
