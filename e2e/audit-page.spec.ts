import { readFile } from 'node:fs/promises'
import { picture } from '../testing/images/pictures.ts'
import { api, expect, signIn, test } from './fixtures.ts'

test('an act is found, read in full and exported', async ({ page, owner, createAccount }) => {
  await signIn(page, owner)
  const max = await createAccount()
  const { items } = await api(page.request).user.list.query({ search: max.username })
  await api(page.request).user.ban.mutate({ id: items[0]?.id ?? '', reason: 'spam \u202egpj' })
  await page.goto('/admin/audit')
  const entries = page.getByRole('list', { name: 'Audit' })
  const ban = entries.getByRole('button', { name: `owner banned ${max.username} “spam` })
  await expect(ban).toBeVisible()
  await expect(page.getByRole('link', { name: 'Audit' })).toHaveAttribute('aria-current', 'page')

  await ban.focus()
  await page.keyboard.press('Enter')
  const own = entries.getByRole('listitem').filter({ hasText: max.username })
  await expect(own.getByText('Banned', { exact: true })).toBeVisible()
  await own.getByRole('button', { name: `Everything about ${max.username}` }).click()
  await expect(page).toHaveURL(`/admin/audit?account=${max.username}`)
  await expect(entries.getByRole('listitem')).toHaveText([/banned/, /created/])

  await page.getByLabel('Kind').selectOption('Invites')
  await expect(page.getByText('No entries match these filters.')).toBeVisible()
  await page.getByRole('button', { name: 'Clear filters' }).click()
  await page.getByRole('searchbox', { name: 'Search the audit' }).fill(max.username)
  await expect(page).toHaveURL(`/admin/audit?search=${max.username}`)
  await page.reload()
  await expect(entries.getByRole('button', { name: 'banned' })).toHaveCount(1)

  const download = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Export CSV' }).click()
  const file = await download
  expect(file.suggestedFilename()).toMatch(/^audit-\d{4}-\d\d-\d\d\.csv$/)
  expect(await readFile(await file.path(), 'utf8')).toContain('user.ban')
  await expect(page.getByText('entries exported.')).toBeVisible()
})

test('an act on an image leads to the image', async ({ page, owner, createAccount, browser, sluice }) => {
  const anna = await browser.newContext({ baseURL: sluice.origin })
  const visit = await anna.newPage()
  await signIn(visit, await createAccount())
  const bytes = await picture({ format: 'png', width: 60, height: 40, seed: 160 })
  const { id } = await api(visit.request).image.upload.mutate(new File([new Uint8Array(bytes)], 'lock.png'))
  await anna.close()
  await signIn(page, owner)
  const { slug } = await api(page.request).image.update.mutate({ id, title: 'Renamed lock' })
  await page.goto(`/admin/audit?target=image/${id}`)
  const entries = page.getByRole('list', { name: 'Audit' })
  await entries.getByRole('button', { name: 'owner changed' }).click()
  await entries.getByRole('link', { name: 'Open image' }).click()
  await expect(page).toHaveURL(`/image/${slug}`)
  await expect(page.getByRole('heading', { name: 'Renamed lock' })).toBeVisible()
})

test('users see what concerns their account', async ({ page, createAccount }) => {
  const anna = await createAccount()
  await signIn(page, anna)
  await page.goto('/account')
  const activity = page.getByRole('list', { name: 'Recent activity' })
  await expect(activity.locator('> li')).toHaveText([/^You signed in/, /^An admin created your account/])
})
