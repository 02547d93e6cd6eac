import { picture } from '../testing/images/pictures.ts'
import { api, expect, signIn, test } from './fixtures.ts'

test('a guest without script reports a shared image, and an admin hides it', async ({
  page,
  owner,
  createAccount,
  browser,
  sluice,
}) => {
  const uploader = await browser.newPage({ baseURL: sluice.origin })
  await signIn(uploader, await createAccount())
  const { image, share } = api(uploader.request)
  const ids: string[] = []
  for (const seed of [901, 902]) {
    const bytes = await picture({ width: 900, height: 600, seed })
    ids.push((await image.upload.mutate(new File([new Uint8Array(bytes)], `reported-${seed}.jpg`))).id)
  }
  const [, id = ''] = ids
  await image.update.mutate({ id, visibility: 'private' })
  const { url } = await share.create.mutate({ target: { images: ids }, password: 'open sesame' })

  const guest = await browser.newPage({ baseURL: sluice.origin, javaScriptEnabled: false })
  await guest.goto(url)
  await guest.getByLabel('Password').fill('open sesame')
  await guest.getByRole('button', { name: 'Open' }).click()
  await guest.getByRole('link', { name: 'Report images' }).click()
  await guest.getByRole('radio', { name: 'Spam or deception' }).check()
  await guest.getByRole('button', { name: 'Send report' }).click()
  await expect(guest.getByText('Choose at least one image.')).toBeVisible()
  await guest.getByRole('checkbox', { name: 'reported-901' }).check()
  await guest.getByRole('checkbox', { name: 'reported-902' }).check()
  await guest.getByRole('radio', { name: 'Spam or deception' }).check()
  await guest.getByLabel('Details (optional)').fill('An advertisement')
  await guest.getByRole('button', { name: 'Send report' }).click()
  await expect(guest.getByRole('heading', { name: 'Report sent' })).toBeVisible()
  await guest.getByRole('link', { name: 'Go back' }).click()
  await expect(guest.getByRole('list', { name: 'Images' }).getByRole('listitem')).toHaveCount(2)

  await signIn(page, owner)
  await page.goto('/admin/reports')
  const row = page.getByRole('listitem', { name: 'reported-902' })
  for (const name of ['reported-901', 'reported-902'])
    await expect(page.getByRole('listitem', { name })).toContainText('An advertisement')
  await row.focus()
  await page.keyboard.press('h')
  await page.getByRole('alertdialog').getByRole('button', { name: 'Hide' }).click()
  await expect(page.getByText('Image hidden.')).toBeVisible()
  await expect(row).toHaveCount(0)
  await guest.reload()
  await expect(guest.getByRole('heading', { name: 'reported-901' })).toBeVisible()
})

test('a signed-in viewer reports another’s image, and moving it to the trash can be undone', async ({
  page,
  owner,
  createAccount,
  browser,
  sluice,
}) => {
  await signIn(page, owner)
  const { image } = api(page.request)
  const bytes = await picture({ width: 900, height: 600, seed: 903 })
  const { id, slug } = await image.upload.mutate(new File([new Uint8Array(bytes)], 'reported-903.jpg'))

  const viewer = await browser.newPage({ baseURL: sluice.origin })
  await signIn(viewer, await createAccount())
  await viewer.goto(`/image/${slug}`)
  await viewer.getByRole('link', { name: 'Report this image' }).click()
  await viewer.getByRole('button', { name: 'Send report' }).click()
  await expect(viewer.getByRole('heading', { name: 'Report an image' })).toBeVisible()
  await viewer.getByRole('radio', { name: 'Another reason' }).check()
  await viewer.getByRole('button', { name: 'Send report' }).click()
  await expect(viewer.getByRole('heading', { name: 'Report sent' })).toBeVisible()

  await page.goto('/admin/reports')
  const row = page.getByRole('listitem', { name: 'reported-903' })
  await row.getByRole('button', { name: 'Move to trash' }).click()
  await expect(row).toHaveCount(0)
  expect((await viewer.request.get(`/image/${slug}`)).status()).toBe(404)
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect(row).toContainText('In the trash before')
  expect((await image.get.query({ id })).trashedAt).toBe(null)
})
