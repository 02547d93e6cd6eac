import { picture } from '../testing/images/pictures.ts'
import { api, test as base, expect, signIn } from './fixtures.ts'

const test = base.extend<object, { settings: Record<string, string> }>({
  settings: [({ browserName: _ }, use) => use({ SLUICE_TRASH_DAYS: '7', SLUICE_GALLERY: 'on' }), { scope: 'worker' }],
})

test('a superadmin gives the site its name, logo and colour, and takes them back', async ({ page, owner }) => {
  await signIn(page, owner)
  await page.goto('/admin/site')
  const preview = page.getByRole('region', { name: 'Preview' })
  await page.getByLabel('Name', { exact: true }).fill('<b>Bilder</b>')
  await page.getByRole('textbox', { name: 'Accent colour' }).fill('#ffee00')
  await expect(preview.getByText('<b>Bilder</b>')).toHaveCount(2)
  const buffer = await picture({ format: 'png', width: 120, height: 90, seed: 5 })
  const chooser = page.waitForEvent('filechooser')
  await page.getByRole('button', { name: 'Logo: Choose file' }).click()
  await (await chooser).setFiles({ name: 'logo.png', mimeType: 'image/png', buffer })
  await expect(page.getByRole('img', { name: 'Logo: current image' })).toBeVisible()
  await page.getByRole('button', { name: 'Add link' }).click()
  await page.getByLabel('Label', { exact: true }).fill('Imprint')
  await page.getByLabel('Address', { exact: true }).fill('https://example.org/imprint')
  await expect(page.getByRole('status').filter({ hasText: 'unsaved' })).toHaveText('4 unsaved changes')
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByText('Settings saved.')).toBeVisible()
  await expect(page).toHaveTitle('Site · <b>Bilder</b>')
  const home = page.getByRole('banner').getByRole('link', { name: '<b>Bilder</b>: images' })
  await expect(home.locator('img')).toHaveAttribute('src', /^\/brand\/[0-9a-f]{32}\/logo\.png$/)
  const link = page.getByRole('contentinfo').getByRole('link', { name: 'Imprint' })
  await expect(link).toHaveAttribute('href', 'https://example.org/imprint')
  // Yellow cannot be read on white: a darker shade of it is used.
  await expect(page.locator('html')).toHaveAttribute('style', /--accent-light: ?#[0-9a-f]{6}/)
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect(page.getByText('Change undone.')).toBeVisible()
  await expect(page).toHaveTitle('Site · Sluice')
  await expect(page.getByRole('contentinfo')).toHaveCount(0)
})

test('what the environment sets is locked, and a wrong value is shown at its field', async ({ page, owner }) => {
  await signIn(page, owner)
  await page.goto('/admin/site')
  await expect(page.getByRole('textbox', { name: 'Days in the trash' })).toBeDisabled()
  await expect(page.getByText('Set by SLUICE_TRASH_DAYS in the environment.')).toBeVisible()
  await page.getByRole('textbox', { name: 'Quota per user' }).fill('plenty')
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByText('Some values are not valid. Nothing was saved.')).toBeVisible()
  await expect(page.getByRole('textbox', { name: 'Quota per user' })).toHaveAttribute('aria-invalid', 'true')
  await page.getByRole('button', { name: 'Reset Quota per user to its default' }).click()
  await expect(page.getByRole('button', { name: 'Save' })).toHaveCount(0)
})

test('a conflict is shown, then replaced; leaving with changes asks first', async ({ page, owner }) => {
  await signIn(page, owner)
  await page.goto('/admin/site')
  await page.getByLabel('Name', { exact: true }).fill('Mine')
  const { site } = api(page.request)
  const { version } = await site.settings.query()
  await site.update.mutate({ version, change: { SLUICE_NAME: 'Theirs', SLUICE_CACHE_SECONDS: '60' } })
  await page.getByRole('button', { name: 'Save' }).click()
  const notice = page.getByRole('alert').filter({ hasText: 'Changed in the meantime' })
  await expect(notice).toContainText('by owner: Name, Cache seconds.')
  await expect(page.getByRole('textbox', { name: 'Cache seconds' })).toHaveValue('60')
  await page.getByRole('link', { name: 'Users' }).click()
  const question = page.getByRole('alertdialog', { name: 'Discard changes?' })
  await question.getByRole('button', { name: 'Cancel' }).click()
  await expect(page).toHaveURL(/\/admin\/site$/)
  await page.getByRole('button', { name: 'Save over them' }).click()
  await expect(page.getByText('Settings saved.')).toBeVisible()
  await expect(page).toHaveTitle('Site · Mine')
  const now = await site.settings.query()
  expect(now.texts).toMatchObject({ SLUICE_NAME: 'Mine', SLUICE_CACHE_SECONDS: '60' })
  await site.update.mutate({ version: now.version, change: { SLUICE_NAME: null, SLUICE_CACHE_SECONDS: null } })
})

test('admins read the settings; the site can be installed, and says who may list it', async ({
  page,
  createAccount,
}) => {
  await signIn(page, await createAccount({ role: 'admin' }))
  await page.goto('/admin/site')
  await expect(page.getByText('Only superadmins can change these settings.')).toBeVisible()
  await expect(page.getByLabel('Name', { exact: true })).toBeDisabled()
  await expect(page.locator('meta[name=robots]')).toHaveAttribute('content', 'noindex')
  const href = await page.locator('link[rel=manifest]').getAttribute('href')
  const manifest = await (await page.request.get(href ?? '')).json()
  expect(manifest).toMatchObject({ name: 'Sluice', display: 'standalone', start_url: '/' })
  for (const { src, sizes } of manifest.icons) {
    const icon = await page.request.get(src)
    expect([icon.status(), icon.headers()['content-type']]).toEqual([200, 'image/png'])
    const body = await icon.body()
    expect(`${body.readUInt32BE(16)}x${body.readUInt32BE(20)}`).toBe(sizes)
  }
  expect(await (await page.request.get('/robots.txt')).text()).toContain('User-agent: *\nDisallow: /\n')
})

test('what is typed while a part of the page is still loading is kept, and saved', async ({ page, owner }) => {
  await signIn(page, owner)
  await page.goto('/admin/site')
  await page.getByLabel('Mail server').fill('smtp://127.0.0.1:2525')
  await expect(page.getByRole('button', { name: 'Save' })).toBeVisible()
  // The first character of the sender asks for what sends a test mail.
  const { promise: isReleased, resolve: release } = Promise.withResolvers<void>()
  const asked = page.waitForRequest('**/_next/static/**')
  await page.route('**/_next/static/**', async (route) => {
    await isReleased
    await route.continue()
  })
  const sender = page.getByRole('textbox', { name: 'Sender' })
  await sender.pressSequentially('sluice@example.org')
  await asked
  await expect(sender).toHaveValue('sluice@example.org')
  // As fast as a password manager: no task lies between the last input and the submit.
  await sender.evaluate((field: HTMLInputElement) => {
    const { set } = Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value') ?? {}
    set?.call(field, 'mail@example.org')
    field.dispatchEvent(new Event('input', { bubbles: true }))
    field.form?.requestSubmit()
  })
  const { site } = api(page.request)
  const mail = { SLUICE_MAIL_SERVER: 'smtp://127.0.0.1:2525', SLUICE_MAIL_FROM: 'mail@example.org' }
  await expect.poll(async () => (await site.settings.query()).texts).toMatchObject(mail)
  release()
  await expect(page.getByText('Settings saved.')).toBeVisible()
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect(page.getByText('Change undone.')).toBeVisible()
})

test('what is typed while the settings are being saved stays, to be saved next', async ({ page, owner }) => {
  await signIn(page, owner)
  await page.goto('/admin/site')
  const { promise: isReleased, resolve: release } = Promise.withResolvers<void>()
  await page.route('**/api/trpc/*site.update*', async (route) => {
    await isReleased
    await route.continue()
  })
  const asked = page.waitForRequest('**/api/trpc/*site.update*')
  await page.getByLabel('Name', { exact: true }).fill('Mine')
  await page.getByRole('button', { name: 'Save' }).click()
  await asked
  await page.getByRole('textbox', { name: 'Cache seconds' }).fill('60')
  release()
  await expect(page.getByText('Settings saved.')).toBeVisible()
  await expect(page.getByRole('status').filter({ hasText: 'unsaved' })).toHaveText('1 unsaved change')
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByRole('button', { name: 'Save' })).toHaveCount(0)
  const { site } = api(page.request)
  const { texts, version } = await site.settings.query()
  expect(texts).toMatchObject({ SLUICE_NAME: 'Mine', SLUICE_CACHE_SECONDS: '60' })
  await site.update.mutate({ version, change: { SLUICE_NAME: null, SLUICE_CACHE_SECONDS: null } })
})
