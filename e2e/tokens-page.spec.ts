import { readFile } from 'node:fs/promises'
import { expect, signIn, test } from './fixtures.ts'

test('a token is created, shown once, used and revoked', async ({ page, context, sluice, createAccount }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  await signIn(page, await createAccount())
  await page.goto('/account')
  await expect(page.getByText('No tokens yet.')).toBeVisible()
  await expect(page.getByText('"Authorization": "Bearer slu_…"')).toBeVisible()

  await page.getByRole('button', { name: 'Create token' }).click()
  const dialog = page.getByRole('dialog')
  await expect(dialog.getByRole('checkbox', { checked: true })).toHaveCount(1)
  await dialog.getByRole('button', { name: 'Create token' }).click()
  await expect(dialog.getByText('Enter a name.')).toBeVisible()
  await dialog.getByRole('textbox', { name: 'Name' }).fill('my laptop')
  await dialog.getByRole('checkbox', { name: /^Read/ }).press('Space')
  await dialog.getByRole('radio', { name: '30 days' }).press('Space')
  await dialog.getByRole('button', { name: 'Create token' }).click()

  const token = (await dialog.getByLabel('Token', { exact: true }).textContent()) ?? ''
  expect(token).toMatch(/^slu_[A-Za-z0-9_-]{43}$/)
  await expect(dialog.getByRole('button', { name: 'Copy token' })).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(dialog.getByRole('button', { name: 'Copied' })).toBeVisible()
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(token)

  const download = page.waitForEvent('download')
  await dialog.getByRole('button', { name: /\.sxcu$/ }).click()
  const file = await download
  expect(file.suggestedFilename()).toMatch(/^sluice-127\.0\.0\.1-\d+\.sxcu$/)
  const uploader: { RequestURL: string; Headers: object } = JSON.parse(await readFile(await file.path(), 'utf8'))
  expect(uploader).toMatchObject({
    RequestURL: `${sluice.origin}/api/upload`,
    Headers: { Authorization: `Bearer ${token}` },
  })
  await dialog.getByRole('tab', { name: 'uPic' }).click()
  await expect(dialog.getByText(`Bearer ${token}`)).toBeVisible()

  // A click outside does not discard it.
  await page.mouse.click(5, 5)
  await dialog.getByRole('button', { name: 'Done' }).click()
  await expect(page.getByText(token)).toHaveCount(0)
  const row = page.getByRole('list', { name: 'API tokens' }).getByRole('listitem')
  await expect(row).toContainText(`my laptopUploadReadslu_…${token.slice(-4)}`)
  await expect(row).toContainText('never used')

  const list = () =>
    fetch(`${sluice.origin}/api/trpc/image.list`, {
      headers: { authorization: `Bearer ${token}`, 'user-agent': 'PicList/2' },
    })
  expect((await list()).status).toBe(200)
  await page.reload()
  await expect(row).toContainText(/last used .+ by PicList/)
  expect(await page.content()).not.toContain(token)

  await row.getByRole('button', { name: 'Revoke my laptop' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Revoke token' }).click()
  await expect(page.getByText('No tokens yet.')).toBeVisible()
  expect((await list()).status).toBe(401)
})

test('a shared account says why it has no tokens', async ({ page, createAccount }) => {
  await signIn(page, await createAccount({ shared: true }))
  await page.goto('/account')
  await expect(page.getByText('A token would keep working after the person who created it has left.')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Create token' })).toHaveCount(0)
})
