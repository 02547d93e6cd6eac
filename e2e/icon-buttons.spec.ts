import type { Page } from '@playwright/test'
import { picture } from '../testing/images/pictures.ts'
import { api, expect, signIn, test } from './fixtures.ts'

async function upload(page: Page, seed: number, name: string) {
  const bytes = await picture({ format: 'png', width: 64, height: 48, seed })
  return api(page.request).image.upload.mutate(new File([new Uint8Array(bytes)], name))
}

/** Longer than a tooltip waits before it opens and before it closes. */
const PAST_DELAYS_MS = 800

/** Points at every visible icon button that can be pressed and returns their names. Each must have its name as a tooltip. */
async function readTips(page: Page, within = page.locator('body')): Promise<string[]> {
  const names: string[] = []
  // A pointer moves onto a button from somewhere else.
  await page.mouse.move(0, 1)
  await page.mouse.move(0, 0)
  for (const button of await within.getByRole('button').all()) {
    if (!(await button.isVisible()) || (await button.textContent())?.trim() !== '') continue
    // Actions of a selection may have loaded, and wait for images to be selected.
    if (await button.isDisabled()) continue
    const name = (await button.getAttribute('aria-label')) ?? ''
    await button.hover()
    await page.clock.fastForward(PAST_DELAYS_MS)
    const tip = page.getByRole('tooltip')
    await expect(tip).toHaveText(name)
    await expect(button).toHaveAccessibleName(name)
    await expect(button).toHaveAccessibleDescription('')
    await page.mouse.move(0, 0)
    await page.clock.fastForward(PAST_DELAYS_MS)
    await expect(tip).toHaveCount(0)
    names.push(name)
  }
  return names
}

test('an icon button shows its name as a tooltip when pointed at', async ({ page, owner }) => {
  test.setTimeout(120_000)
  await page.clock.install()
  await signIn(page, owner)
  await page.goto('/')
  await expect(page.getByText('Drop images here')).toBeVisible()
  await page
    .locator('input[type=file]')
    .first()
    .setInputFiles({
      name: 'tray.png',
      mimeType: 'image/png',
      buffer: await picture({ format: 'png', width: 64, height: 48, seed: 80 }),
    })
  const tray = page.getByRole('region', { name: 'Uploads' })
  await expect(tray).toContainText('1 image uploaded')
  await expect(page.getByRole('button', { name: 'Select images' })).toBeVisible()
  await expect(page.getByRole('button', { name: 'Add tray to favourites' })).toBeVisible()
  expect(await readTips(page)).toEqual([
    'Upload folder',
    'Select images',
    'Copy link of tray',
    'Add tray to favourites',
    'Hide files',
    'Close',
    'Copy link to tray.png',
  ])
  await tray.getByRole('button', { name: 'Close' }).click()

  const { slug } = await upload(page, 81, 'second.png')
  await page.goto('/')
  await page.getByRole('button', { name: 'Select images' }).click()
  expect(await readTips(page)).toEqual(['Upload folder', 'Clear selection'])
  await page.goto(`/image/${slug}`)
  await expect(page.getByRole('heading', { name: 'second' })).toBeVisible()
  const shown = await readTips(page)
  expect(shown).toEqual(expect.arrayContaining(['Back', 'Edit title', 'Move to trash']))

  await page.goto('/account')
  await expect(page.getByRole('heading', { name: 'Password' })).toBeVisible()
  expect(
    await readTips(page, page.locator('form', { has: page.getByRole('button', { name: 'Show password' }) })),
  ).toEqual(Array(3).fill('Show password'))

  await page.goto('/admin/users')
  await page.getByRole('button', { name: 'Invite' }).click()
  const invite = page.getByRole('dialog')
  // A disabled button has no tooltip.
  await invite.getByRole('button', { name: 'More people' }).click()
  await expect(invite.getByRole('textbox', { name: 'People' })).toHaveValue('2')
  expect(await readTips(page, invite)).toEqual(['Close', 'Fewer people', 'More people', 'Fewer days', 'More days'])
})

test('a tooltip appears at once by keyboard, and does not interfere with Escape or menus', async ({ page, owner }) => {
  await signIn(page, owner)
  await page.goto('/admin/users')
  const tip = page.getByRole('tooltip')
  const actions = page.getByRole('button', { name: /^Actions for / }).first()
  await expect(actions).toBeVisible()
  await page
    .getByRole('checkbox', { name: /^Select / })
    .first()
    .focus()
  await page.keyboard.press('Tab')
  await expect(actions).toBeFocused()
  await expect(tip).toHaveText((await actions.getAttribute('aria-label')) ?? '')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('menu')).toBeVisible()
  await expect(tip).toHaveCount(0)
  await page.keyboard.press('Escape')
  await expect(page.getByRole('menu')).toHaveCount(0)

  await page.getByRole('button', { name: 'Create user' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('button', { name: 'Close' }).hover()
  await expect(tip).toHaveText('Close')
  await page.keyboard.press('Escape')
  await expect(tip).toHaveCount(0)
  await expect(dialog).toHaveCount(0)
})

test('a button with text has a tooltip only if its text is hidden', async ({ page, createAccount }) => {
  await signIn(page, await createAccount())
  await upload(page, 82, 'third.png')
  await page.goto('/')
  const tip = page.getByRole('tooltip')
  await page.setViewportSize({ width: 1440, height: 800 })
  await page.getByRole('button', { name: 'Select images' }).click()
  await page.getByRole('button', { name: 'Select all' }).click()
  const copy = page.getByRole('button', { name: 'Copy links' })
  // A button without a tooltip is followed by one with a tooltip: the first one would have appeared by then.
  const closing = page.getByRole('button', { name: 'Clear selection' })
  await copy.hover()
  await page.waitForTimeout(800)
  await expect(tip).toHaveCount(0)
  await closing.hover()
  await expect(tip).toHaveText('Clear selection')
  await page.setViewportSize({ width: 600, height: 800 })
  await copy.hover()
  await expect(tip).toHaveText('Copy links')
})

test.describe('on touch screens', () => {
  test.use({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true })

  test('there are no tooltips', async ({ page, createAccount }) => {
    await signIn(page, await createAccount())
    await upload(page, 83, 'fourth.png')
    await page.goto('/')
    await page.getByRole('button', { name: 'Select images' }).tap()
    await expect(page.getByRole('button', { name: 'Clear selection' })).toBeVisible()
    await page.getByRole('button', { name: 'Select all' }).tap()
    await expect(page.getByRole('button', { name: 'Copy links' })).toBeEnabled()
    await page.waitForTimeout(800)
    await expect(page.getByRole('tooltip')).toHaveCount(0)
  })
})
