import { api, expect, signIn, signInBy, test } from './fixtures.ts'

test('a superadmin blocks somebody, lifts blocks by a click, and puts one back', async ({
  page,
  playwright,
  sluice,
  createAccount,
}) => {
  await signIn(page, await createAccount({ role: 'superadmin' }))
  const person = await createAccount()
  const theirs = await playwright.request.newContext({ baseURL: sluice.origin })
  await signInBy(theirs, person)
  const listSessions = () => theirs.get('/api/trpc/account.sessions').then((answer) => answer.status())
  await page.goto('/admin/limits')
  await page.locator('#explain').scrollIntoViewIfNeeded()
  const section = page.getByRole('region', { name: 'Blocks in force' })

  // Nothing is waited for: what is typed while the dialog and its names are loaded is for its first field.
  const names = Promise.withResolvers<void>()
  await page.route(/trpc\/[^?]*user\.list/, async (route) => {
    await names.promise
    await route.continue()
  })
  await page.getByRole('button', { name: 'Add a block' }).click()
  await page.keyboard.type(person.username)
  const dialog = page.getByRole('dialog', { name: 'Add a block' })
  const name = dialog.getByLabel('User name or address')
  await expect(name).toHaveValue(person.username)
  await expect(page.getByRole('listbox')).toContainText('Searching for names…')
  names.resolve()
  await name.fill('')
  await expect(page.getByRole('listbox').getByRole('option', { name: person.username })).toBeVisible()
  // Closes the list, not the dialog.
  await name.press('Escape')
  await expect(page.getByRole('listbox')).toBeHidden()
  await dialog.getByRole('button', { name: 'Block', exact: true }).click()
  await expect(name).toBeFocused()
  await page.keyboard.type(person.username)
  const option = page.getByRole('option', { name: person.username })
  await expect(option).toBeVisible()
  // What the page beneath shows changes in height now and then, which moves it.
  await page.evaluate(() => window.scrollBy(0, -40))
  await option.click()
  await expect(dialog.getByText(/^Bans the account/)).toBeVisible()
  await dialog.getByLabel('From').selectOption('account-view')
  await dialog.getByLabel('For', { exact: true }).selectOption('7 days')
  await dialog.getByLabel('Reason').fill('A script')
  await dialog.getByRole('button', { name: 'Block', exact: true }).click()
  await expect(dialog).toBeHidden()
  const line = section.getByRole('listitem').filter({ hasText: person.username })
  await expect(line).toContainText('By hand, with an override.')
  await expect(line).toContainText('“A script”')
  expect(await listSessions()).toBe(429)

  await line.getByRole('button', { name: 'Lift' }).click()
  await expect(line).toBeHidden()
  await expect.poll(listSessions).toBe(200)
  await page.getByRole('alertdialog').filter({ hasText: 'cleared.' }).getByRole('button', { name: 'Undo' }).click()
  await expect(line).toBeVisible()
  await expect.poll(listSessions).toBe(429)

  // The value of an argument, for everyone.
  await page.getByRole('button', { name: 'Add a block' }).click()
  await dialog.getByText('A value', { exact: true }).click()
  await dialog.getByRole('textbox', { name: 'Value' }).fill('dune')
  await dialog.getByLabel('From').selectOption('download-again')
  await dialog.getByRole('button', { name: 'Block', exact: true }).click()
  await expect(dialog).toBeHidden()
  const value = section.getByRole('listitem').filter({ hasText: 'id dune' })
  await expect(value).toContainText('By hand, with an override.')
  await value.getByRole('button', { name: 'Lift' }).click()
  await expect(value).toBeHidden()

  // What a rule has blocked.
  const { limits } = api(page.request)
  const rules = [{ limit: 1, window: '1m' as const, blockFor: '1d' as const }]
  await limits.override.mutate({ ruleSet: 'account-view', target: { kind: 'role', role: 'user' }, terms: { rules } })
  await line.getByRole('button', { name: 'Lift' }).click()
  await expect(line).toBeHidden()
  await expect.poll(async () => [await listSessions(), await listSessions()].at(-1)).toBe(429)
  await page.reload()
  await page.locator('#explain').scrollIntoViewIfNeeded()
  await expect(line).toContainText('By its rule account-view-1m, after a refusal.')
  await line.getByRole('button', { name: 'Lift' }).click()
  await expect(line).toBeHidden()
  expect(await listSessions()).toBe(200)
  await limits.import.mutate({ file: { version: 1 }, dryRun: false })
  await theirs.dispose()
})
