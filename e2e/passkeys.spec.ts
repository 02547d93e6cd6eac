import type { Page } from '@playwright/test'
import { currentCode } from '../testing/accounts/second-factor.ts'
import { addAuthenticator } from '../testing/accounts/virtual-authenticator.ts'
import { freePort } from '../testing/servers/free-port.ts'
import { type Account, api, expect, signIn, signInBy, test } from './fixtures.ts'
import { findBarriers, findBarriersIn, weighScripts } from './page-checks.ts'

// Browsers have no passkeys for an address in figures.
test.use({
  settings: [
    async ({ browserName: _ }, use) => {
      const port = `${await freePort()}`
      await use({ PORT: port, SLUICE_ORIGIN: `http://localhost:${port}` })
    },
    { scope: 'worker' },
  ],
})

const sectionOf = (page: Page) => page.locator('section#passkeys')
const byPasskey = (page: Page) => page.getByRole('button', { name: 'Sign in with a passkey' })

/** Nothing keeps anyone from using the dialog that is open, in either theme. */
async function expectUsable(page: Page): Promise<void> {
  const within = '[role=dialog]'
  expect(await findBarriersIn(page, 'light', { within })).toEqual([])
  // Another theme has other colours, and nothing else.
  expect(await findBarriersIn(page, 'dark', { within, runOnly: ['color-contrast'] })).toEqual([])
}

async function signOut(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Sign out', exact: true }).click()
  await expect(byPasskey(page)).toBeVisible()
}

/** Makes the browser offer no passkeys among names, which its authenticator here would choose at once. */
const offerNone = (page: Page) =>
  page.addInitScript(() => {
    PublicKeyCredential.isConditionalMediationAvailable = async () => false
  })

/** Takes the first step of a sign-in that leads to the account page. */
async function enterPassword(page: Page, { username, password }: Account): Promise<void> {
  await page.goto('/signin?next=/account')
  await page.getByLabel('User name').fill(username)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
}

test('a newcomer adds a passkey, signs in with it alone and after the password, proves who they are, and removes it', async ({
  page,
  createAccount,
}) => {
  test.setTimeout(180_000)
  const authenticator = await addAuthenticator(page)
  const account = await createAccount()
  await signIn(page, account)
  await page.goto('/account')
  const section = sectionOf(page)
  await expect(section.getByText(/^No passkeys yet/)).toBeVisible()
  const add = section.getByRole('button', { name: 'Add a passkey' })
  await authenticator.verify(false)
  await add.click()
  await expect(section.getByRole('alert')).toContainText('No passkey was used')
  await authenticator.verify(true)
  await add.click()
  const dialog = page.getByRole('dialog')
  await expect(dialog.getByLabel('Name')).toHaveValue(/^Chrome on /)
  await expectUsable(page)
  await dialog.getByLabel('Name').fill('Laptop')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect(dialog.getByRole('list', { name: 'Recovery codes' }).getByRole('listitem')).toHaveCount(10)
  await dialog.getByRole('button', { name: 'I have saved them' }).click()
  await expect(section.getByRole('listitem')).toContainText(['Laptop'])
  await expect(section.getByText(/not used yet$/)).toBeVisible()
  await expect(page.locator('section#second-factor').getByText('10 left of ten')).toBeVisible()
  await add.click()
  await expect(section.getByRole('alert')).toContainText('already has a passkey')
  expect(await authenticator.count()).toBe(1)

  await authenticator.touch(false)
  await signOut(page)
  expect(await findBarriers(page)).toEqual([])
  // The page offers passkeys among the names that the browser fills in, and this authenticator chooses at once.
  await authenticator.touch(true)
  await page.goto('/signin?next=/account', { waitUntil: 'commit' })
  await expect(page).toHaveURL('/account')
  await expect(section.getByText(/last used/)).toBeVisible()
  await expect(page.getByText('You used the passkey Laptop')).toBeVisible()

  await offerNone(page)
  await signOut(page)
  await page.goto('/signin?next=/account')
  await byPasskey(page).click()
  await expect(page).toHaveURL('/account')

  await signOut(page)
  await enterPassword(page, account)
  await expect(page.getByRole('heading', { name: 'Second step' })).toBeVisible()
  expect(await findBarriers(page)).toEqual([])
  await expect(page.getByRole('link', { name: 'Use a recovery code' })).toBeVisible()
  await page.getByRole('button', { name: 'Use passkey' }).click()
  await expect(page).toHaveURL('/account')

  await section.getByRole('button', { name: 'Rename Laptop' }).click()
  await page.getByRole('dialog').getByLabel('Name').fill('Work laptop')
  await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click()
  await expect(section.getByText('Work laptop')).toBeVisible()

  // As if more than ten minutes had passed since signing in.
  const refusal = { message: '', code: -32003, data: { code: 'FORBIDDEN', httpStatus: 403, reason: 'proof-needed' } }
  await page.route(
    '**/api/trpc/identity.removePasskey**',
    (route) => route.fulfill({ status: 403, json: [{ error: refusal }] }),
    { times: 1 },
  )
  await section.getByRole('button', { name: 'Remove Work laptop' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Remove' }).click()
  await expect(page.getByRole('dialog').getByRole('button', { name: 'Use a passkey' })).toBeVisible()
  await expectUsable(page)
  await page.getByRole('dialog').getByRole('button', { name: 'Use a passkey' }).click()
  await expect(section.getByText(/^No passkeys yet/)).toBeVisible()
  await expect(page.getByText('Work laptop removed.')).toBeVisible()
  await signOut(page)
  await enterPassword(page, account)
  await expect(page).toHaveURL('/account')
})

test('a passkey that the site no longer knows says so, and a required second factor can be one', async ({
  page,
  owner,
  createAccount,
  playwright,
  sluice,
}) => {
  test.setTimeout(180_000)
  const authenticator = await addAuthenticator(page)
  const account = await createAccount()
  const request = await playwright.request.newContext({ baseURL: sluice.origin })
  await signInBy(request, owner)
  const { identity, site, user } = api(request)
  const { setUp, secret } = await identity.beginTotp.mutate()
  await identity.confirmTotp.mutate({ setUp, code: currentCode(secret) })
  const { version } = await site.settings.query()
  await site.update.mutate({ version, change: { SLUICE_SECOND_FACTOR: 'required-all' } })
  await enterPassword(page, account)
  await expect(page).toHaveURL('/signin/factor')
  expect(await findBarriers(page)).toEqual([])
  await page.getByRole('button', { name: 'Add a passkey' }).click()
  await expect(page.getByRole('list', { name: 'Recovery codes' }).getByRole('listitem')).toHaveCount(10)
  await page.getByRole('button', { name: 'I have saved them' }).click()
  await expect(page.getByRole('heading', { name: 'Your images' })).toBeVisible()
  await page.goto('/account')
  const section = sectionOf(page)
  await section.getByRole('button', { name: /^Remove / }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Remove' }).click()
  await expect(page.getByText(/add another one first/)).toBeVisible()

  await authenticator.touch(false)
  await page.context().clearCookies()
  const scripts = weighScripts(page)
  await page.goto('/signin')
  await scripts.settled()
  expect(scripts.total() / 1_000).toBeLessThan(170)
  const { items } = await user.list.query({})
  await user.delete.mutate({ id: items.find(({ username }) => username === account.username)?.id ?? '' })
  await offerNone(page)
  await page.goto('/signin')
  await authenticator.touch(true)
  await byPasskey(page).click()
  await expect(page.getByText(/^This site does not know this passkey/)).toBeVisible()
  await request.dispose()
})
