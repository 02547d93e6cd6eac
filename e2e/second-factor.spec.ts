import { readFile } from 'node:fs/promises'
import type { Locator, Page } from '@playwright/test'
import { currentCode } from '../testing/accounts/second-factor.ts'
import { startSluiceServer } from '../testing/sluice/sluice-server.ts'
import { type Account, expect, signIn, test } from './fixtures.ts'
import { findBarriers } from './page-checks.ts'

const STEP_MS = 30_000

/** Sets up an app in `place`, and returns its key and the recovery codes. */
async function setUpApp(place: Page | Locator): Promise<{ key: string; codes: readonly string[] }> {
  await expect(place.getByRole('img', { name: 'QR code for the authenticator app' })).toBeVisible()
  const key = (await place.getByLabel('Key', { exact: true }).innerText()).replaceAll(' ', '')
  const code = place.getByRole('textbox', { name: 'Code' })
  await code.fill('12345')
  await place.getByRole('button', { name: 'Confirm' }).click()
  await expect(place.getByText(/^This code is wrong or has been used/)).toBeVisible()
  await code.fill(currentCode(key, Date.now() - 10 * STEP_MS))
  await place.getByRole('button', { name: 'Confirm' }).click()
  await expect(place.getByText(/^This code is \d minutes old/)).toBeVisible()
  await code.fill(currentCode(key))
  await place.getByRole('button', { name: 'Confirm' }).click()
  const list = place.getByRole('list', { name: 'Recovery codes' })
  await expect(list.getByRole('listitem')).toHaveCount(10)
  return { key, codes: await list.getByRole('listitem').allInnerTexts() }
}

/** The code that follows the one that the app was set up with, which is accepted no more: one step early is early enough. */
const nextCode = (key: string) => currentCode(key, Date.now() + STEP_MS)

/** Takes the first step of a sign-in that leads to the account page. */
async function enterPassword(page: Page, { username, password }: Account, origin = ''): Promise<void> {
  await page.goto(`${origin}/signin?next=/account`)
  await page.getByLabel('User name').fill(username)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByRole('button', { name: 'Sign in' }).click()
}

async function enterCode(page: Page, answer: string): Promise<void> {
  await page.getByRole('textbox', { name: /ode$/ }).fill(answer)
  await page.getByRole('button', { name: 'Continue' }).click()
}

async function signOut(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Sign out', exact: true }).click()
  await expect(page.getByRole('button', { name: 'Sign in' })).toBeVisible()
}

test('a newcomer sets up an app, signs in with a code, once, from a trusted browser without, and with a recovery code', async ({
  page,
  browser,
  createAccount,
  sluice,
}) => {
  test.setTimeout(120_000)
  const account = await createAccount()
  await signIn(page, account)
  await page.goto('/account')
  const section = page.locator('section#second-factor')
  await section.getByRole('button', { name: 'Set up authenticator app' }).click()
  const dialog = page.getByRole('dialog')
  const { key, codes } = await setUpApp(dialog)
  const saved = page.waitForEvent('download')
  await dialog.getByRole('button', { name: 'Download' }).click()
  const file = await saved
  expect(file.suggestedFilename()).toBe(`recovery-codes-${account.username}.txt`)
  expect((await readFile(await file.path(), 'utf8')).split('\n').slice(2, -1)).toEqual(codes)
  await dialog.getByRole('button', { name: 'I have saved them' }).click()
  await expect(section.getByText('10 left of ten')).toBeVisible()
  await signOut(page)

  await enterPassword(page, account)
  await expect(page.getByRole('heading', { name: 'Second step' })).toBeVisible()
  expect(await findBarriers(page)).toEqual([])
  const code = nextCode(key)
  await page.getByRole('checkbox', { name: 'Trust this browser for 30 days' }).check()
  await enterCode(page, code)
  await expect(page).toHaveURL('/account')
  await expect(section.getByRole('heading', { name: 'Trusted browsers' })).toBeVisible()
  await signOut(page)
  await enterPassword(page, account)
  await expect(page).toHaveURL('/account')
  await section.getByRole('button', { name: /^Stop trusting Chrome/ }).click()
  await expect(section.getByRole('heading', { name: 'Trusted browsers' })).toHaveCount(0)
  await signOut(page)

  await enterPassword(page, account)
  await enterCode(page, code)
  await expect(page.getByText(/^This code (is wrong or has been used|is \d minutes? old)/)).toBeVisible()
  await page.getByRole('link', { name: 'Use a recovery code' }).click()
  await enterCode(page, codes[0]?.toUpperCase() ?? '')
  await expect(page).toHaveURL('/account')
  await expect(section.getByText('9 left of ten')).toBeVisible()
  await expect(page.getByText('You signed in with a recovery code')).toBeVisible()

  await section.getByRole('button', { name: 'Make new codes' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Make new codes' }).click()
  const remade = page.getByRole('dialog').getByRole('listitem')
  await expect(remade).toHaveCount(10)
  const [fresh = ''] = await remade.allInnerTexts()
  await page.getByRole('button', { name: 'I have saved them' }).click()
  await expect(section.getByText('10 left of ten')).toBeVisible()

  const context = await browser.newContext({ javaScriptEnabled: false, baseURL: sluice.origin })
  const plain = await context.newPage()
  await enterPassword(plain, account)
  await plain.getByRole('link', { name: 'Use a recovery code' }).click()
  await enterCode(plain, codes[1] ?? '')
  await expect(plain.getByRole('alert')).toContainText('This code is wrong')
  await enterCode(plain, fresh)
  await expect(plain).toHaveURL('/account')
  await context.close()

  await section.getByRole('button', { name: 'Remove' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Remove' }).click()
  await expect(section.getByRole('button', { name: 'Set up authenticator app' })).toBeVisible()
  await signOut(page)
  await enterPassword(page, account)
  await expect(page).toHaveURL('/account')
})

test('a superadmin requires a second factor of all, and is the first to be led through its set-up', async ({
  page,
  browser,
  owner,
}) => {
  test.setTimeout(120_000)
  const env = { SLUICE_ADMIN_USERNAME: owner.username, SLUICE_ADMIN_PASSWORD: owner.password }
  await using server = await startSluiceServer({ env })
  await enterPassword(page, owner, server.origin)
  await expect(page).toHaveURL(`${server.origin}/account`)
  await page.goto(`${server.origin}/admin/site`)
  await expect(page.getByText(/Shared accounts are skipped/)).toBeVisible()
  await page.getByRole('radio', { name: 'Required of all' }).check()
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(page).toHaveURL(`${server.origin}/signin/factor`)
  await page.goto(`${server.origin}/account`)
  await expect(page).toHaveURL(`${server.origin}/signin/factor`)
  await expect(page.getByRole('heading', { name: 'Set up a second factor' })).toBeVisible()
  // As if more than ten minutes had passed since signing in.
  const refusal = { message: '', code: -32003, data: { code: 'FORBIDDEN', httpStatus: 403, reason: 'proof-needed' } }
  await page.route(
    '**/api/trpc/identity.beginTotp**',
    (route) => route.fulfill({ status: 403, json: [{ error: refusal }] }),
    { times: 1 },
  )
  await page.getByRole('button', { name: 'Set up authenticator app' }).click()
  await page.getByRole('dialog').getByLabel('Password', { exact: true }).fill(owner.password)
  await page.getByRole('dialog').getByRole('button', { name: 'Continue' }).click()
  const { key } = await setUpApp(page)
  expect(await findBarriers(page)).toEqual([])
  await page.getByRole('button', { name: 'I have saved them' }).click()
  await expect(page.getByRole('heading', { name: 'Your images' })).toBeVisible()
  await page.goto(`${server.origin}/account`)
  const section = page.locator('section#second-factor')
  await expect(section.getByRole('button', { name: 'Replace' })).toBeVisible()
  await expect(section.getByRole('button', { name: 'Remove' })).toHaveCount(0)

  const context = await browser.newContext({ javaScriptEnabled: false })
  const plain = await context.newPage()
  await enterPassword(plain, owner, server.origin)
  await enterCode(plain, nextCode(key))
  await expect(plain).toHaveURL(`${server.origin}/account`)
  await context.close()
})
