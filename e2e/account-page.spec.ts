import { readFile } from 'node:fs/promises'
import { readZip } from '../testing/http/read-zip.ts'
import { picture } from '../testing/images/pictures.ts'
import { api, expect, signIn, test } from './fixtures.ts'

test('others see the display name and the picture of an owner, and never the user name', async ({
  page,
  browser,
  createAccount,
  sluice,
}) => {
  const account = await createAccount()
  await signIn(page, account)
  const png = await picture({ format: 'png', width: 300, height: 200 })
  const { slug } = await api(page.request).image.upload.mutate(new File([new Uint8Array(png)], 'a.png'))
  const guest = await browser.newPage({ baseURL: sluice.origin })
  await guest.goto(`/image/${slug}`)
  await expect(guest.getByText('Dimensions')).toBeVisible()
  await expect(guest.getByText(account.username)).toHaveCount(0)

  await page.goto('/account')
  const name = page.getByRole('textbox', { name: 'Display name' })
  const save = page.getByRole('button', { name: 'Save name' })
  await name.fill('Admin')
  await save.click()
  await expect(page.getByText('This name is reserved')).toBeVisible()
  await name.fill(' Ada   Lovelace ')
  await save.click()
  await expect(page.getByRole('heading', { name: 'Ada Lovelace' })).toBeVisible()
  await page.locator('#profile input[type=file]').setInputFiles({ name: 'me.png', mimeType: 'image/png', buffer: png })
  await expect(page.getByText('Picture changed.')).toBeVisible()
  await expect(page.locator('section#profile img')).toHaveAttribute('src', /^\/p\/[0-9a-f]{64}\.webp$/)

  await guest.reload()
  await expect(guest.getByText('Ada Lovelace')).toBeVisible()
  expect(await guest.content()).not.toContain(account.username)
  await guest.close()

  await name.fill('Grace')
  await save.click()
  await expect(page.getByRole('heading', { name: 'Grace' })).toBeVisible()
  await page.getByRole('button', { name: 'Undo' }).last().click()
  await expect(page.getByRole('heading', { name: 'Ada Lovelace' })).toBeVisible()
})

test('limits show what is left, storage what is used, and an export has all of it', async ({ page, createAccount }) => {
  const account = await createAccount()
  await signIn(page, account)
  const png = await picture({ format: 'png' })
  await api(page.request).image.upload.mutate(new File([new Uint8Array(png)], 'mine.png'))
  await page.goto('/account')
  const uploads = page.getByRole('meter', { name: 'Uploads: 300 per hour' })
  await expect(uploads).toHaveAttribute('aria-valuetext', /^1 used, 299 left, More in /)
  await expect(page.getByRole('row', { name: /^PNG 1 image/ })).toBeVisible()
  const download = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Export' }).click()
  const file = await download
  expect(file.suggestedFilename()).toMatch(/^sluice-export-\d{4}-\d\d-\d\d\.zip$/)
  const names = readZip(await readFile(await file.path())).map((entry) => entry.name)
  expect(names).toEqual(['images/mine.png', 'manifest.json', 'account.json'])
  await expect(page.getByText('Export complete.')).toBeVisible()
})

test('an account is deleted after its user name and password, and what goes is shown before', async ({
  page,
  createAccount,
}) => {
  const account = await createAccount()
  await signIn(page, account)
  const png = await picture({ format: 'png' })
  await api(page.request).image.upload.mutate(new File([new Uint8Array(png)], 'mine.png'))
  await page.goto('/account')
  await page.getByRole('button', { name: 'Delete account …' }).click()
  const dialog = page.getByRole('dialog')
  await expect(dialog.getByText(/^1 image \(.*\), 0 of them in the trash/)).toBeVisible()
  const remove = dialog.getByRole('button', { name: 'Delete account permanently' })
  await dialog.getByRole('textbox', { name: /^Type your user name/ }).fill('someone')
  await dialog.getByRole('textbox', { name: 'Current password' }).fill('wrong')
  await expect(remove).toBeDisabled()
  await dialog.getByRole('textbox', { name: /^Type your user name/ }).fill(account.username)
  await remove.click()
  await expect(dialog.getByText('The current password is wrong.')).toBeVisible()
  await dialog.getByRole('textbox', { name: 'Current password' }).fill(account.password)
  await remove.click()
  await expect(dialog.getByText('Your account and its images have been deleted.')).toBeVisible()
  await dialog.getByRole('button', { name: 'Leave' }).click()
  await expect(page).toHaveURL(/\/signin/)
})

test('users are filtered in the address, banned with a reason, and their quotas set together', async ({
  page,
  browser,
  owner,
  createAccount,
  sluice,
}) => {
  const [one, two] = [await createAccount(), await createAccount()]
  await signIn(page, owner)
  await page.goto('/admin/users?role=user&state=never')
  const list = page.getByRole('list', { name: 'Users' })
  await expect(list.getByText(one.username)).toBeVisible()
  await page.getByRole('combobox', { name: 'State' }).selectOption('Banned')
  await expect(page).toHaveURL(/\?role=user&state=banned$/)
  await page.getByRole('button', { name: 'Clear filters' }).click()
  await expect(page).toHaveURL(/\/admin\/users$/)

  for (const { username } of [one, two]) await page.getByRole('checkbox', { name: `Select ${username}` }).check()
  await page.getByRole('toolbar', { name: 'Selected users' }).getByRole('button', { name: 'Set storage quota' }).click()
  await page.getByRole('textbox', { name: 'Quota in GiB' }).fill('3')
  await page.getByRole('button', { name: 'Save' }).click()
  const row = list.getByRole('listitem').filter({ hasText: two.username })
  await expect(row.getByText('0 B of 3 GiB')).toBeVisible()
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect(row.getByText('0 B of 3 GiB')).toHaveCount(0)

  await row.getByRole('button', { name: `Actions for ${two.username}` }).click()
  await page.getByRole('menuitem', { name: 'Ban' }).click()
  await page.getByRole('textbox', { name: 'Reason (optional)' }).fill('Spam')
  await page.getByRole('button', { name: 'Ban' }).click()
  await expect(row.getByText('Reason: Spam')).toBeVisible()

  const banned = await browser.newPage({ baseURL: sluice.origin })
  await banned.goto('/signin')
  const enter = async (password: string) => {
    await banned.getByRole('textbox', { name: 'User name' }).fill(two.username)
    await banned.getByRole('textbox', { name: 'Password' }).fill(password)
    await banned.getByRole('button', { name: 'Sign in' }).click()
  }
  await enter('not the password')
  await expect(banned.getByText(/^Wrong user name or password/)).toBeVisible()
  await enter(two.password)
  await expect(banned.getByText('This account has been banned. Reason: Spam')).toBeVisible()
  await banned.close()
})
