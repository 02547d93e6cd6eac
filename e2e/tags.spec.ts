import type { Page } from '@playwright/test'
import { picture } from '../testing/images/pictures.ts'
import { type Account, api, expect, signIn, test } from './fixtures.ts'

/** Signs in with two images. */
async function withImages(page: Page, account: Account) {
  await signIn(page, account)
  const images = []
  for (const seed of [1, 2]) {
    const bytes = await picture({ width: 300, height: 200, seed })
    images.push(await api(page.request).image.upload.mutate(new File([new Uint8Array(bytes)], `picture ${seed}.jpg`)))
  }
  return images
}

test('an image is described, tagged with completion and marked by its key', async ({
  page,
  createAccount,
  browser,
}) => {
  const [one, two] = await withImages(page, await createAccount())
  if (!one || !two) throw new Error('No image was uploaded.')
  await api(page.request).tag.add.mutate({ images: [two.id], tags: ['Harbour'] })
  await page.goto(`/image/${one.slug}`)

  await page.getByRole('button', { name: 'Add description' }).press('Enter')
  await expect(page.getByRole('textbox', { name: 'Description' })).toBeFocused()
  await page.keyboard.type('<b>bold</b> at https://example.org/a.')
  await page.keyboard.press('Control+Enter')
  const link = page.getByRole('link', { name: 'https://example.org/a' })
  await expect(link).toHaveAttribute('rel', 'nofollow noopener noreferrer ugc')
  await expect(link).toHaveAttribute('href', 'https://example.org/a')
  await expect(page.getByText('<b>bold</b> at https://example.org/a.')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Edit description' })).toBeFocused()

  await page.getByRole('button', { name: 'Add tag' }).press('Enter')
  await expect(page.getByRole('combobox', { name: 'Add tag' })).toBeFocused()
  await page.keyboard.type('har')
  await page.getByRole('option', { name: /Harbour/ }).click()
  const chips = page.getByRole('list', { name: 'Tags' })
  await expect(chips.getByRole('link')).toHaveText(['Harbour'])
  await page.keyboard.type('海边, sea')
  await page.keyboard.press('Enter')
  await expect(chips.getByRole('link')).toHaveText(['Harbour', 'sea', '海边'])
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Remove tag sea' }).click()
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect(chips.getByRole('link')).toHaveText(['Harbour', 'sea', '海边'])
  await expect(chips.getByRole('link').first()).toHaveAttribute('href', '/?tag=Harbour')

  await page.keyboard.press('f')
  await expect(page.getByRole('button', { name: 'Remove from favourites' })).toBeVisible()
  await expect.poll(async () => (await api(page.request).image.get.query({ id: one.id })).favourite).toBe(true)

  const guest = await browser.newPage()
  await guest.goto(page.url())
  await expect(guest.getByRole('list', { name: 'Tags' })).toHaveText('Harboursea海边')
  await expect(guest.getByRole('link', { name: 'https://example.org/a' })).toBeVisible()
  await guest.close()
})

test('tags of a selection are changed and undone together', async ({ page, createAccount }) => {
  const [one, two] = await withImages(page, await createAccount())
  if (!one || !two) throw new Error('No image was uploaded.')
  await api(page.request).tag.add.mutate({ images: [two.id], tags: ['old'] })
  await page.goto('/')
  await page.getByRole('button', { name: 'Select images' }).click()
  await page.getByRole('button', { name: 'Select all' }).click()
  await page.getByRole('toolbar').getByRole('button', { name: 'Tags' }).click()
  const dialog = page.getByRole('dialog', { name: 'Tags of 2 images' })
  await dialog.getByRole('combobox').pressSequentially('new')
  await page.keyboard.press('Enter')
  await dialog.getByRole('button', { name: 'Remove tag old' }).click()
  await dialog.getByRole('button', { name: 'Save tags' }).click()
  await expect(page.getByText('Tags of 2 images changed.')).toBeVisible()
  const tagsOf = async () =>
    Promise.all([one, two].map(async ({ id }) => (await api(page.request).image.get.query({ id })).tags))
  expect(await tagsOf()).toEqual([['new'], ['new']])
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect(page.getByText('Tags of 2 images restored.')).toBeVisible()
  expect(await tagsOf()).toEqual([[], ['old']])

  await page.getByRole('toolbar').getByRole('button', { name: 'Favourite' }).click()
  await expect(page.getByText('2 images added to favourites.')).toBeVisible()
})

test('the page Tags renames, merges and deletes with undo', async ({ page, createAccount }) => {
  const [one, two] = await withImages(page, await createAccount())
  if (!one || !two) throw new Error('No image was uploaded.')
  await api(page.request).tag.add.mutate({ images: [one.id], tags: ['see'] })
  await api(page.request).tag.add.mutate({ images: [one.id, two.id], tags: ['Sea'] })
  await page.goto('/tags')
  const lines = page.getByRole('list', { name: 'Tags' }).getByRole('link')
  await expect(lines).toHaveText(['Sea2 images', 'see1 image'])

  await page.getByRole('button', { name: 'Rename tag see' }).click()
  await page.keyboard.type('sea')
  await page.keyboard.press('Enter')
  await page.getByRole('alertdialog').getByRole('button', { name: 'Merge tags' }).click()
  await expect(lines).toHaveText(['Sea2 images'])

  await page.getByRole('button', { name: 'Rename tag Sea' }).click()
  await page.keyboard.type('大海')
  await page.keyboard.press('Enter')
  await expect(lines).toHaveText(['大海2 images'])

  await page.getByRole('button', { name: 'Delete tag 大海' }).click()
  await expect(page.getByText('No tags yet.')).toBeVisible()
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect(lines).toHaveText(['大海2 images'])
})
