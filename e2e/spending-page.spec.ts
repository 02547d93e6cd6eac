import { api, expect, signIn, test } from './fixtures.ts'

test('a superadmin sets a budget, changes it, removes it, and takes that back', async ({ page, createAccount }) => {
  await signIn(page, await createAccount({ role: 'superadmin' }))
  await page.goto('/')
  await page.getByRole('link', { name: 'Admin', exact: true }).first().click()
  await page.getByRole('navigation', { name: 'Administration' }).getByRole('link', { name: 'Spending' }).click()
  await expect(page.getByRole('heading', { name: 'Spending', exact: true })).toBeVisible()

  const budget = page
    .getByRole('list', { name: 'Budgets' })
    .getByRole('listitem')
    .filter({ hasText: 'Bytes out a month' })
  await page.getByRole('button', { name: 'Add a budget' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Of what').selectOption('Bytes out a month')
  await dialog.getByLabel('At most, in GB').fill('500')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect(dialog).toBeHidden()
  await expect(budget).toContainText('of 500 GB')

  await budget.getByRole('button', { name: 'Change Bytes out a month' }).click()
  await dialog.getByLabel('At most, in GB').fill('750')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect(budget).toContainText('of 750 GB')

  await budget.getByRole('button', { name: 'Change Bytes out a month' }).click()
  await dialog.getByRole('button', { name: 'Remove' }).click()
  await expect(budget).toBeHidden()
  const removed = page.getByRole('alertdialog').filter({ hasText: 'There is no budget' })
  await removed.getByRole('button', { name: 'Undo' }).click()
  await expect(budget).toContainText('of 750 GB')
  await api(page.request).budget.set.mutate({ period: 'month', unit: 'bytesOut', limit: null })
})

test('prices are entered, and the published ones come back', async ({ page, createAccount }) => {
  await signIn(page, await createAccount({ role: 'superadmin' }))
  await page.goto('/admin/spending')
  const prices = page.getByRole('region', { name: 'Prices' })
  await expect(prices).toContainText('As published')
  await prices.getByRole('button', { name: 'Change prices' }).click()
  const dialog = page.getByRole('dialog', { name: 'Prices' })
  await dialog.getByLabel('A million reads').fill('0.4')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect(dialog).toBeHidden()
  await expect(prices).toContainText('Entered by hand')
  await expect(prices).toContainText('$0.40 a million')
  await prices.getByRole('button', { name: 'Change prices' }).click()
  await dialog.getByRole('button', { name: 'Use the published ones' }).click()
  await expect(prices).toContainText('As published')
})

test('an admin does not learn that the page is there, and sees their own meters', async ({ page, createAccount }) => {
  await signIn(page, await createAccount({ role: 'admin' }))
  expect((await page.goto('/admin/spending'))?.status()).toBe(404)
  await page.goto('/account')
  await expect(page.getByRole('heading', { name: 'Usage' })).toBeVisible()
  await expect(page.getByText(/\d images sent/)).toBeVisible()
})
