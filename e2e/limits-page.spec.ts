import type { APIRequestContext, Page } from '@playwright/test'
import { api, expect, signIn, signInBy, test } from './fixtures.ts'

/** One rule set on the page, closed or open. */
const ruleSet = (page: Page, name: string) => page.locator(`#set-${name}`)

/** Clears an override, so that the next test finds the declared terms. */
async function clearAfterwards(request: APIRequestContext, name: string): Promise<void> {
  await api(request).limits.clear.mutate({ ruleSet: name, target: { kind: 'all' } })
}

test('a superadmin lowers a limit for everyone, and restores it', async ({
  page,
  request,
  createAccount,
  playwright,
  sluice,
}) => {
  const superadmin = await createAccount({ role: 'superadmin' })
  await signIn(page, superadmin)
  const user = await playwright.request.newContext({ baseURL: sluice.origin })
  const { username, password } = await createAccount()
  const { csrfToken } = await (await user.get('/api/auth/csrf')).json()
  await user.post('/api/auth/callback/credentials', { form: { username, password, csrfToken, json: 'true' } })
  const listImages = async () => (await user.get('/api/trpc/image.list?input=%7B%7D')).status()
  expect(await listImages()).toBe(200)

  await page.goto('/admin/limits#set-view')
  const view = ruleSet(page, 'view')
  await expect(view.getByRole('button', { name: 'view', exact: true })).toHaveAttribute('aria-expanded', 'true')
  await view.getByRole('button', { name: 'Override', exact: true }).click()
  const dialog = page.getByRole('dialog', { name: 'Override view' })
  // Of three declared rules, one is kept.
  await dialog.getByRole('button', { name: 'Remove rule 3' }).click()
  await dialog.getByRole('button', { name: 'Remove rule 2' }).click()
  const rule = dialog.getByRole('group', { name: 'Rule 1' })
  await rule.getByLabel('Limit').fill('2')
  await rule.getByLabel('Window').fill('1h')
  await dialog.getByLabel('Note').fill('A trial')
  await expect(dialog.getByRole('cell', { name: '2 per hour sliding-window-log' })).toBeVisible()
  await expect(dialog.getByRole('cell', { name: /^300 per second/ })).toBeVisible()
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect(dialog).toBeHidden()
  await expect(page.getByText('view overridden for everyone.')).toBeVisible()
  await expect(view.getByText('overridden', { exact: true })).toBeVisible()

  // Counts of other windows no longer apply: two calls pass, and the third is refused.
  await expect.poll(async () => [await listImages(), await listImages(), await listImages()].at(-1)).toBe(429)

  await view.getByRole('button', { name: 'Clear the override for everyone' }).click()
  await expect(page.getByText('Override of view for everyone cleared.')).toBeVisible()
  // The button that was pressed is gone.
  await expect(view.getByRole('button', { name: 'Override', exact: true })).toBeFocused()
  await expect.poll(listImages).toBe(200)
  await expect(view.getByText('overridden', { exact: true })).toBeHidden()

  await page.locator('#explain').scrollIntoViewIfNeeded()
  const history = page.getByRole('list', { name: 'History' })
  await expect(history.getByText(`${superadmin.username} overrode view for everyone`)).toBeVisible()
  await expect(history.getByText(`${superadmin.username} cleared the override of view for everyone`)).toBeVisible()
  await expect(history.getByText('“A trial”').first()).toBeVisible()

  // Undo the clearing.
  const cleared = page.getByRole('alertdialog').filter({ hasText: 'cleared.' })
  await cleared.getByRole('button', { name: 'Undo' }).click()
  await expect(page.getByText('view restored for everyone.')).toBeVisible()
  await expect.poll(listImages).toBe(429)
  // And that, from the history: only the last change can be undone.
  await expect(history.getByRole('button', { name: 'Undo this change of view' })).toHaveCount(1)
  await history.getByRole('button', { name: 'Undo this change of view' }).click()
  await expect.poll(listImages).toBe(200)
  await clearAfterwards(page.request, 'view')
  await user.dispose()
  expect((await request.get('/admin/limits')).url()).toContain('/signin')
})

test('the form refuses invalid terms, with the reason', async ({ page, createAccount }) => {
  await signIn(page, await createAccount({ role: 'superadmin' }))
  await page.goto('/admin/limits#set-edit')
  await ruleSet(page, 'edit').getByRole('button', { name: 'Override', exact: true }).click()
  const dialog = page.getByRole('dialog', { name: 'Override edit' })
  await expect(dialog.getByText('Same as declared.')).toBeVisible()
  const rule = dialog.getByRole('group', { name: 'Rule 1' })
  await rule.getByLabel('Limit').fill('many')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect(rule.getByText('Enter a whole number of at least 1.')).toBeVisible()
  await rule.getByLabel('Limit').fill('5')
  // Two rules of one window would share a name.
  await rule.getByLabel('Window').fill('1h')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect(dialog.getByRole('alert')).toContainText('edit-1h')
  await page.keyboard.press('Escape')
  await page.getByRole('alertdialog').getByRole('button', { name: 'Discard' }).click()
  await expect(dialog).toBeHidden()
  await expect(ruleSet(page, 'edit').getByText('overridden', { exact: true })).toBeHidden()
})

test('the form shows the whole name of every algorithm, whatever the width', async ({ page, createAccount }) => {
  await signIn(page, await createAccount({ role: 'superadmin' }))
  await page.goto('/admin/limits#set-edit')
  await ruleSet(page, 'edit').getByRole('button', { name: 'Override', exact: true }).click()
  const algorithm = page.getByRole('dialog').getByLabel('Algorithm').first()
  for (const width of [380, 640, 768, 1024, 1440]) {
    await page.setViewportSize({ width, height: 900 })
    const cut = await algorithm.evaluate((select: HTMLSelectElement) => {
      const { font, paddingLeft, paddingRight } = getComputedStyle(select)
      const room = select.clientWidth - Number.parseFloat(paddingLeft) - Number.parseFloat(paddingRight)
      const pen = document.createElement('canvas').getContext('2d')
      if (!pen) return ['nothing to measure with']
      pen.font = font
      return [...select.options]
        .filter(({ label, value }) => !label.startsWith(value) || pen.measureText(value).width > room)
        .map(({ label }) => label)
    })
    expect(cut, `at ${width} pixels`).toEqual([])
  }
})

test('a change that someone else has made in the meantime is not replaced unseen', async ({
  page,
  browser,
  createAccount,
  sluice,
}) => {
  await signIn(page, await createAccount({ role: 'superadmin' }))
  const other = await createAccount({ role: 'superadmin' })
  const context = await browser.newContext({ baseURL: sluice.origin })
  const second = await context.newPage()
  await signIn(second, other)
  const setByOther = (limit: number) =>
    api(second.request).limits.override.mutate({
      ruleSet: 'edit',
      target: { kind: 'all' },
      terms: { rules: [{ limit, window: '1h' }] },
    })

  await page.goto('/admin/limits#set-edit')
  await ruleSet(page, 'edit').getByRole('button', { name: 'Override', exact: true }).click()
  const dialog = page.getByRole('dialog', { name: 'Override edit' })
  const limit = dialog.getByRole('group', { name: 'Rule 1' }).getByLabel('Limit')
  await limit.fill('7')
  await setByOther(9)
  // Saving from a field far above moves the focus to the notice, so that the same key does not save again.
  await page.keyboard.press('Enter')
  const conflict = `${other.username} changed this override in the meantime: 9 per hour.`
  await expect(dialog.getByRole('alert').filter({ hasText: conflict })).toBeInViewport()
  await page.keyboard.press('Enter')
  await expect(dialog.getByRole('button', { name: 'Replace' })).toBeVisible()
  await expect(limit).toHaveValue('7')
  await dialog.getByRole('button', { name: 'Discard my changes' }).click()
  await expect(limit).toHaveValue('9')

  // Once seen, it may be replaced; undo restores it, unless someone else has changed it since.
  await limit.fill('8')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect(dialog).toBeHidden()
  const toasts = page.getByRole('alertdialog')
  await toasts.getByRole('button', { name: 'Undo' }).click()
  await expect(ruleSet(page, 'edit').getByText('9 per hour', { exact: true }).first()).toBeVisible()
  await ruleSet(page, 'edit').getByRole('button', { name: 'Clear the override for everyone' }).click()
  await expect(page.getByText('Override of edit for everyone cleared.')).toBeVisible()
  await setByOther(6)
  await toasts.filter({ hasText: 'cleared.' }).getByRole('button', { name: 'Undo' }).click()
  await expect(page.getByText('edit was changed for everyone in the meantime and is left as it is now.')).toBeVisible()
  await expect(ruleSet(page, 'edit').getByText('6 per hour', { exact: true }).first()).toBeVisible()
  await clearAfterwards(page.request, 'edit')
  await context.close()
})

test('an accidental reload does not lose the form', async ({ page, createAccount }) => {
  await signIn(page, await createAccount({ role: 'superadmin' }))
  await page.goto('/admin/limits#set-edit')
  await ruleSet(page, 'edit').getByRole('button', { name: 'Override', exact: true }).click()
  const dialog = page.getByRole('dialog', { name: 'Override edit' })
  const limit = dialog.getByRole('group', { name: 'Rule 1' }).getByLabel('Limit')
  await limit.fill('7')
  const asked = page.waitForEvent('dialog')
  await page.evaluate(() => setTimeout(() => window.location.reload()))
  const question = await asked
  expect(question.type()).toBe('beforeunload')
  await question.dismiss()
  await expect(limit).toHaveValue('7')
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Discard' }).click()
  await page.reload()
})

test('the stream resumes after signing in again', async ({ page, playwright, sluice, createAccount }) => {
  const admin = await createAccount({ role: 'admin' })
  await signIn(page, admin)
  await page.goto('/admin/limits')
  const sign = (words: string) => page.getByRole('status').filter({ hasText: words })
  await expect(sign('Live')).toBeVisible()
  const elsewhere = await playwright.request.newContext({ baseURL: sluice.origin })
  await signInBy(elsewhere, admin)
  await api(elsewhere).account.signOutEverywhere.mutate()
  await elsewhere.dispose()
  await expect(sign('Signed out')).toBeVisible({ timeout: 20_000 })
  await signIn(page, admin)
  await expect(sign('Live')).toBeVisible({ timeout: 35_000 })
})

test('an admin sees everything and changes nothing', async ({ page, createAccount }) => {
  await signIn(page, await createAccount({ role: 'admin' }))
  await page.goto('/')
  await page.getByRole('link', { name: 'Admin', exact: true }).first().click()
  await page.getByRole('navigation', { name: 'Administration' }).getByRole('link', { name: 'Limits' }).click()
  await expect(page.getByRole('heading', { name: 'Limits', exact: true })).toBeVisible()
  // By keyboard: the filter, then the only line that is left.
  const sets = page.getByRole('list', { name: 'Rule sets' }).locator('li[id]')
  await expect(sets).toHaveCount(10)
  await page.keyboard.press('/')
  await page.keyboard.type('image.download')
  await expect(page.getByRole('list', { name: 'Procedures and routes' }).getByRole('listitem')).toHaveCount(2)
  await page.getByRole('searchbox').fill('download-again')
  await expect(sets).toHaveCount(1)
  const trigger = ruleSet(page, 'download-again').getByRole('button', { name: 'download-again', exact: true })
  await trigger.focus()
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/#set-download-again$/)
  await expect(ruleSet(page, 'download-again').getByText('image.download', { exact: true })).toBeVisible()
  await expect(page.getByRole('button', { name: 'Override', exact: true })).toHaveCount(0)
  await expect(page.getByRole('heading', { name: 'History' })).toHaveCount(0)
  await page.getByRole('searchbox').fill('')
  await page.getByRole('button', { name: /^Procedures and routes/ }).click()
  const procedures = page.getByRole('list', { name: 'Procedures and routes' })
  await expect(procedures.getByText('image.list', { exact: true })).toBeVisible()
  await expect(procedures.getByText('Not limited')).toHaveCount(0)
})

test('the page does not exist for users', async ({ page, createAccount }) => {
  await signIn(page, await createAccount())
  expect((await page.goto('/admin/limits'))?.status()).toBe(404)
  await page.goto('/')
  await expect(page.getByRole('link', { name: 'Images', exact: true }).first()).toBeVisible()
  await expect(page.getByRole('link', { name: /Admin|Limits/ })).toHaveCount(0)
})
