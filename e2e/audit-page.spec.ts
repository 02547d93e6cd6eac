import { readFile } from 'node:fs/promises'
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
  await expect(entries.getByText('banned', { exact: true })).toBeVisible()
  await entries.getByRole('button', { name: `Everything about ${max.username}` }).click()
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

test('users see what concerns their account', async ({ page, createAccount }) => {
  const anna = await createAccount()
  await signIn(page, anna)
  await page.goto('/account')
  const activity = page.getByRole('list', { name: 'Recent activity' })
  await expect(activity.locator('> li')).toHaveText([/^You signed in/, /^An admin created your account/])
})
