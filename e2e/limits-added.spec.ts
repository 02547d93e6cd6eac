import { readFile } from 'node:fs/promises'
import { api, expect, signIn, test } from './fixtures.ts'

test('a superadmin adds a rule set, enforces it, overrides it for one procedure, and carries all of it as a file', async ({
  page,
  createAccount,
}) => {
  const superadmin = await createAccount({ role: 'superadmin' })
  await signIn(page, superadmin)
  await page.goto('/admin/limits')
  const undo = (title: string) =>
    page.getByRole('alertdialog').filter({ hasText: title }).getByRole('button', { name: 'Undo' }).click()

  // However many sets are shown, it stands above them.
  await page.getByRole('button', { name: /^Show all/ }).click()
  const add = page.getByRole('button', { name: 'Add rule set' })
  const sets = page.getByRole('list', { name: 'Rule sets' })
  const gap = async () => ((await sets.boundingBox())?.y ?? 0) - ((await add.boundingBox())?.y ?? 0)
  await expect.poll(gap).toBeGreaterThan(0)
  expect(await gap()).toBeLessThan(100)
  await add.click()
  const adding = page.getByRole('dialog', { name: 'Add rule set' })
  await adding.getByLabel('Procedure or route').selectOption('image.delete')
  await adding.getByLabel('Name').fill('crawlers')
  await adding
    .getByLabel('Counts', { exact: true })
    .selectOption('per id, then per user; guests and shared accounts per address')
  const rule = adding.getByRole('group', { name: 'Rule 1' })
  await rule.getByLabel('Limit').fill('30')
  await adding.getByRole('button', { name: 'Add in shadow mode' }).click()
  await expect(adding).toBeHidden()
  await expect(page.getByText('crawlers added to image.delete, in shadow mode.')).toBeVisible()

  const added = page.locator('#set-crawlers')
  await expect(added.getByRole('button', { name: 'crawlers', exact: true })).toBeInViewport()
  await expect(added.getByText('In shadow mode: it counts and refuses nothing.')).toBeVisible()
  await added.getByRole('button', { name: 'Edit crawlers' }).click()
  const changing = page.getByRole('dialog', { name: 'Change crawlers' })
  await changing.getByLabel('Mode').selectOption('Enforce: refuse calls over the limit')
  await changing.getByRole('button', { name: 'Save' }).click()
  await expect(changing).toBeHidden()
  await expect(added.getByText('In shadow mode: it counts and refuses nothing.')).toBeHidden()

  await page.goto('/admin/limits#set-account-view')
  const view = page.locator('#set-account-view')
  await view.getByRole('button', { name: 'Override', exact: true }).click()
  const overriding = page.getByRole('dialog', { name: 'Override account-view' })
  await overriding.getByLabel('Procedure or route').selectOption('account.me')
  await overriding.getByLabel('Cost of a call').fill('2')
  await overriding.getByRole('button', { name: 'Save' }).click()
  await expect(overriding).toBeHidden()
  await expect(view.getByText('For everyone in account.me')).toBeVisible()

  const downloading = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Export', exact: true }).click()
  const file = JSON.parse(await readFile(await (await downloading).path(), 'utf8'))
  expect(file.overrides).toMatchObject([{ ruleSet: 'account-view', procedure: 'account.me', terms: { cost: 2 } }])
  expect(file.ruleSets).toMatchObject([{ name: 'crawlers', set: { mode: 'enforce' } }])

  const chooseText = (text: string) =>
    page
      .getByLabel('Import', { exact: true })
      .and(page.locator('input'))
      .setInputFiles({ name: 'limits.json', mimeType: 'application/json', buffer: Buffer.from(text) })
  await chooseText('{\n  "version": 1,\n  overrides: []\n}')
  await expect(page.getByText('limits.json is not a JSON file.')).toBeVisible()
  await expect(page.getByText('(line 3 column 3)')).toBeVisible()
  const choose = (content: unknown) => chooseText(JSON.stringify(content))
  const importing = page.getByRole('dialog', { name: 'Import limits.json' })
  await choose({ ...file, overrides: [{ ...file.overrides[0], ruleSet: 'nothing' }] })
  await expect(importing.getByText('overrides 1 (nothing): There is no rule set nothing.')).toBeVisible()
  await expect(importing.getByRole('button', { name: 'Import' })).toBeDisabled()
  await importing.getByRole('button', { name: 'Cancel' }).click()

  await choose({ ...file, overrides: [] })
  await expect(importing.getByRole('list', { name: 'Changes' }).getByText('removed')).toBeVisible()
  await importing.getByRole('button', { name: 'Import' }).click()
  await expect(importing).toBeHidden()
  await undo('Limits imported.')
  await expect(page.getByText('Limits restored.')).toBeVisible()

  await page.goto('/admin/limits#set-crawlers')
  await added.getByRole('button', { name: 'Remove crawlers' }).click()
  await expect(page.getByText('crawlers removed from image.delete.')).toBeVisible()
  await undo('crawlers removed from image.delete.')
  await expect(page.getByText('crawlers restored.')).toBeVisible()
  const { limits } = api(page.request)
  expect((await limits.export.query()).ruleSets).toEqual(file.ruleSets)
  await limits.import.mutate({ file: { version: 1 }, dryRun: false })
})

test('other rules are tried beside those in effect, counted, and made the rules', async ({ page, createAccount }) => {
  await signIn(page, await createAccount({ role: 'superadmin' }))
  const { limits } = api(page.request)
  await page.goto('/admin/limits#set-edit')
  const set = page.locator('#set-edit')
  await set.getByRole('button', { name: 'Try other rules' }).click()
  const trying = page.getByRole('dialog', { name: 'Try other rules of edit' })
  await trying.getByLabel('Start from a preset').selectOption('A person at a browser')
  // A rule that never refuses is said before it is saved.
  await trying.getByRole('group', { name: 'Rule 2' }).getByLabel('Limit').fill('9000')
  await trying.getByRole('button', { name: 'Begin trial' }).click()
  await expect(trying.getByRole('alert')).toContainText('edit-trial-1m (9,000 per minute) never refuses')
  await trying.getByRole('group', { name: 'Rule 2' }).getByLabel('Limit').fill('77')
  await trying.getByRole('button', { name: 'Begin trial' }).click()
  await expect(trying).toBeHidden()
  await expect(set.getByText(/^Would have refused 0 of 0 allowed calls since /)).toBeVisible()
  await set.getByRole('button', { name: 'Make these the rules' }).click()
  await expect(set.getByText(/^Would have refused/)).toBeHidden()
  await expect(set.getByText('77 per minute').first()).toBeVisible()
  await limits.import.mutate({ file: { version: 1 }, dryRun: false })
})
