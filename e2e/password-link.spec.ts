import { expect, signIn, test } from './fixtures.ts'

test('an admin creates a user by a link, who sets the password, and is shown the link of a later reset', async ({
  page,
  createAccount,
  browser,
  sluice,
}) => {
  const admin = await createAccount({ role: 'admin' })
  const username = `by-${admin.username}`
  await signIn(page, admin)
  await page.goto('/admin/users')
  await page.getByRole('button', { name: 'Create user' }).click()
  const dialog = page.getByRole('dialog')
  await expect(dialog.getByLabel('Password')).toHaveCount(0)
  await dialog.getByLabel('User name').fill(username)
  await dialog.getByRole('button', { name: 'Create user' }).click()
  const link = (await dialog.getByLabel('Password link', { exact: true }).textContent()) ?? ''
  expect(link).toMatch(new RegExp(`^${sluice.origin}/password/[A-Za-z0-9_-]{43}$`))
  await dialog.getByRole('button', { name: 'Done' }).click()

  const context = await browser.newContext()
  const other = await context.newPage()
  const answer = await other.goto(link)
  expect([answer?.status(), answer?.headers()['referrer-policy'], answer?.headers()['x-robots-tag']]).toEqual([
    200,
    'no-referrer',
    'noindex, nofollow',
  ])
  await expect(other.getByRole('heading', { name: `New password for ${username}` })).toBeVisible()
  await other.getByLabel('Password', { exact: true }).fill('four unrelated words')
  await other.getByLabel('Repeat password').fill('four unrelated word')
  await other.getByRole('button', { name: 'Set password and sign in' }).click()
  await expect(other.getByText('The passwords do not match.')).toBeVisible()
  await other.getByLabel('Repeat password').fill('four unrelated words')
  await other.getByRole('button', { name: 'Set password and sign in' }).click()
  await expect(other).toHaveURL(`${sluice.origin}/`)

  await page.getByRole('button', { name: `Actions for ${username}` }).click()
  await page.getByRole('menuitem', { name: 'Reset password' }).click()
  await dialog.getByRole('button', { name: 'Create link' }).click()
  await expect(dialog.getByLabel('Password link', { exact: true })).toBeVisible()

  await other.goto('/account')
  const shown = other.getByRole('list', { name: 'Password links' }).getByRole('listitem')
  await expect(shown).toHaveText([
    /^A one-time link for a new password, created by an admin, is valid until/,
    /the password was set from .* with a one-time link that an admin created/,
  ])
  await other.goto(link)
  await expect(other.getByRole('heading', { name: 'This link is no longer valid' })).toBeVisible()
  await context.close()
})
