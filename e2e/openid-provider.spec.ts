import type { Page } from '@playwright/test'
import { startOpenIdProvider, type TestProvider } from '../testing/accounts/openid-provider.ts'
import { expect, signIn, test } from './fixtures.ts'
import { findBarriers } from './page-checks.ts'

/** Adds the provider as a superadmin does. */
async function addProvider(page: Page, { issuer, clientId, clientSecret }: TestProvider): Promise<void> {
  await page.goto('/admin/site')
  await page.getByRole('button', { name: 'Add provider' }).click()
  const dialog = page.getByRole('dialog', { name: 'Add sign-in provider' })
  await dialog.getByLabel('Label').fill('Family')
  const field = dialog.getByRole('textbox', { name: 'Issuer' })
  await field.fill('http://192.0.2.7')
  await dialog.getByRole('button', { name: 'Test' }).click()
  await expect(dialog.getByText(/must be reached by https/)).toBeVisible()
  await field.fill(issuer)
  await dialog.getByRole('button', { name: 'Test' }).click()
  await expect(dialog.getByText(`Found ${issuer}. It can sign people out too.`)).toBeVisible()
  await dialog.getByRole('textbox', { name: 'Name' }).fill('one')
  await expect(dialog.getByLabel('Redirect URI', { exact: true })).toHaveText(/\/api\/auth\/oidc\/one\/callback$/)
  await dialog.getByLabel('Client ID').fill(clientId)
  await dialog.getByLabel('Client secret').fill(clientSecret)
  await dialog.getByRole('switch', { name: /^Allow new accounts/ }).check()
  expect(await findBarriers(page)).toEqual([])
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByRole('list', { name: 'Sign-in providers' }).getByText('Family')).toBeVisible()
}

/** Signs in on the provider's own page. */
async function enterThere(page: Page, login: string): Promise<void> {
  await page.getByLabel('Name').fill(login)
  await page.getByRole('button', { name: 'Sign in there' }).click()
}

test.use({ settings: { SLUICE_SIGNUP: 'open' } })

test('a newcomer signs in by a provider that a superadmin has added, confirms by it, and signs out of both', async ({
  page,
  browser,
  owner,
  sluice,
}) => {
  test.setTimeout(120_000)
  await using provider = await startOpenIdProvider(sluice.origin)
  provider.people.ada = { preferred_username: 'Ada Lovelace', email: 'ada@example.org', email_verified: true }
  await signIn(page, owner)
  await addProvider(page, provider)

  const plain = await browser.newContext({ baseURL: sluice.origin, javaScriptEnabled: false })
  const still = await plain.newPage()
  await still.goto('/signin')
  await still.getByRole('link', { name: 'Continue with Family' }).click()
  await still.getByRole('button', { name: 'Refuse' }).click()
  await expect(still).toHaveURL(/\/signin\?/)
  await expect(still.getByText(/^Family did not let you in/)).toBeVisible()
  await plain.close()

  const context = await browser.newContext({ baseURL: sluice.origin })
  const theirs = await context.newPage()
  await theirs.goto('/signin?next=/account')
  expect(await findBarriers(theirs)).toEqual([])
  await theirs.getByRole('link', { name: 'Continue with Family' }).click()
  await enterThere(theirs, 'ada')
  await expect(theirs).toHaveURL(`${sluice.origin}/account`)
  const linked = theirs.locator('section#linked')
  await expect(linked.getByText(/^ada@example\.org/)).toBeVisible()
  await linked.getByRole('button', { name: 'Unlink Family' }).click()
  await theirs.getByRole('alertdialog').getByRole('button', { name: 'Unlink' }).click()
  await expect(theirs.getByRole('alert').getByText(/This is the last way to sign in/)).toBeVisible()

  // As if ten minutes had passed: the call is refused, and repeated once it was confirmed at the provider.
  const refusal = { message: '', code: -32003, data: { code: 'FORBIDDEN', httpStatus: 403, reason: 'proof-needed' } }
  await theirs.route('**/api/trpc/account.changePassword*', (route) => route.fulfill({ json: [{ error: refusal }] }), {
    times: 1,
  })
  const section = theirs.locator('section#password')
  await section.getByLabel('New password', { exact: true }).fill('a password of Ada’s own')
  await section.getByLabel('Repeat new password').fill('a password of Ada’s own')
  await section.getByRole('button', { name: 'Set password' }).click()
  const dialog = theirs.getByRole('dialog', { name: 'Confirm that it is you' })
  const [tab] = await Promise.all([
    context.waitForEvent('page'),
    dialog.getByRole('button', { name: 'Continue with Family' }).click(),
  ])
  await enterThere(tab, 'ada')
  await expect(dialog).toBeHidden()
  await expect(section.getByLabel('Current password')).toBeVisible()

  await theirs.getByRole('button', { name: 'Sign out', exact: true }).click()
  await expect(theirs).toHaveURL(/\/session\/end\?/)
  await theirs.getByRole('button', { name: 'Sign out', exact: true }).click()
  await expect(theirs).toHaveURL(`${sluice.origin}/signin`)
  await theirs.getByRole('link', { name: 'Continue with Family' }).click()
  await expect(theirs.getByRole('button', { name: 'Sign in there' })).toBeVisible()
  await context.close()
})
