import { api, expect, signIn, signInBy, test } from './fixtures.ts'

// Its own server, because the figures of the last minute include everyone's calls.
test.use({ settings: { SLUICE_GALLERY: 'off' } })

test('figures move while calls are made, by stream and without it', async ({ page, request, createAccount }) => {
  await signIn(page, await createAccount({ role: 'admin' }))
  await page.goto('/admin/limits#set-view')
  await expect(page.getByRole('status').filter({ hasText: 'Live' })).toBeVisible()
  const view = page.locator('#set-view')
  const allowed = async () => {
    const words = await view
      .getByText(/^[\d,]+ allowed/)
      .last()
      .textContent()
    return Number(words?.replaceAll(',', '').match(/^\d+/)?.[0])
  }
  const call = () => request.get(`/i/${'A'.repeat(22)}.png?w=320`)
  await Promise.all(Array.from({ length: 20 }, call))
  await expect.poll(allowed).toBe(20)

  await page.route('**/api/trpc/limits.live*', (route) => route.fulfill({ status: 503, body: '' }))
  await page.reload()
  await expect(page.getByRole('status').filter({ hasText: 'Every 3 s' })).toBeVisible()
  await Promise.all(Array.from({ length: 20 }, call))
  await expect.poll(allowed).toBe(40)
})

test('an admin sees why a call of somebody passes, and when', async ({ page, createAccount }) => {
  const { username } = await createAccount()
  await signIn(page, await createAccount({ role: 'admin' }))
  await page.goto('/admin/limits')
  await page.locator('#explain').scrollIntoViewIfNeeded()
  const section = page.getByRole('region', { name: 'Explain a call' })
  await section.getByLabel('Procedure or route').fill('image.download')
  await section.getByLabel('Caller').fill(username)
  await section.getByRole('button', { name: 'Explain' }).click()
  await expect(section.getByText(`The next call by ${username} passes.`)).toBeVisible()
  const rules = section.getByRole('list', { name: 'Rules' }).getByRole('listitem')
  await expect(rules.filter({ hasText: '0 of 100 used, 100 left' }).first()).toContainText('passes now')
  await expect(section.getByText('counts an argument of the call')).toBeVisible()
  // The address can be sent.
  await page.reload()
  await expect(section.getByText(`The next call by ${username} passes.`)).toBeVisible()
  await section.getByLabel('Caller').fill('nobody.at.all')
  await section.getByRole('button', { name: 'Explain' }).click()
  await expect(section.getByText('There is no such user or token.')).toBeVisible()
  await section.getByLabel('Procedure or route').fill('image.gone')
  await section.getByRole('button', { name: 'Explain' }).click()
  await expect(section.getByText('There is no procedure or route image.gone.')).toBeVisible()
  await expect(section.getByRole('button', { name: 'Try again' })).toBeHidden()
})

test('a superadmin finds a refusal by the request ID that a refused person quotes', async ({
  page,
  browser,
  createAccount,
  sluice,
}) => {
  const [root, refused] = [await createAccount({ role: 'superadmin' }), await createAccount()]
  const other = await (await browser.newContext({ baseURL: sluice.origin })).newPage()
  await signIn(other, refused)
  await signIn(page, root)
  const place = { ruleSet: 'account-view', target: { kind: 'role', role: 'user' } } as const
  const terms = { rules: [{ limit: 1, window: '1h' }] } as const
  await api(page.request).limits.override.mutate({ ...place, terms: { rules: [...terms.rules] } })
  await other.goto('/account')
  // The calls of one batch are refused by one request.
  const quoted = await other
    .getByText(/^request [\w-]{36}$/)
    .first()
    .textContent()
  const requestId = quoted?.replace('request ', '') ?? ''
  expect(requestId).toMatch(/^[\w-]{36}$/)

  await page.goto('/admin/limits')
  await page.locator('#explain').scrollIntoViewIfNeeded()
  const section = page.getByRole('region', { name: 'Find a refusal' })
  await section.getByLabel('Request ID').fill(` ${requestId} `)
  await section.getByRole('button', { name: 'Find' }).click()
  await expect(section.getByRole('heading', { name: new RegExp(`refused ${refused.username}$`) }).first()).toBeVisible()
  const rule = section.getByRole('listitem').filter({ hasText: '1 per hour' }).first()
  await expect(rule).toContainText('1 of 1 used, 0 left')
  await expect(rule).toContainText('overridden for users')
  await expect(rule).toContainText('refused, to pass after')
  await page.reload()
  await expect(rule).toBeVisible()
  await section.getByLabel('Request ID').fill('unknown')
  await section.getByRole('button', { name: 'Find' }).click()
  await expect(section.getByText('No refusal of this request is kept')).toBeVisible()
  await api(page.request).limits.clear.mutate(place)
})

test('a superadmin resets what somebody has used of a set that one procedure counts by itself', async ({
  page,
  createAccount,
  playwright,
  sluice,
}) => {
  const caller = await createAccount()
  const theirs = await playwright.request.newContext({ baseURL: sluice.origin })
  await signInBy(theirs, caller)
  await signIn(page, await createAccount({ role: 'superadmin' }))
  const { limits } = api(page.request)
  const place = { ruleSet: 'account-view', procedure: 'account.me', target: { kind: 'all' } } as const
  await limits.override.mutate({ ...place, terms: { rules: [{ limit: 2, window: '1h' }] } })
  const call = async () => (await theirs.get('/api/trpc/account.me')).status()
  await expect.poll(async () => [await call(), await call(), await call()].at(-1)).toBe(429)

  await page.goto('/admin/limits')
  const nearest = page.getByRole('list', { name: 'Nearest to a limit' })
  await nearest.getByRole('button', { name: `Actions for ${caller.username} in account-view` }).click()
  await page.getByRole('menuitem', { name: 'Explain a call' }).click()
  const section = page.getByRole('region', { name: 'Explain a call' })
  await expect(section.getByRole('heading', { name: 'Explain a call' })).toBeInViewport()
  await expect(section.getByText(`The next call by ${caller.username} passes in`)).toBeVisible()
  const set = section.getByRole('link', { name: 'account-view@account.me' })
  await section.getByRole('button', { name: 'Reset the usage of account-view@account.me-1h' }).click()
  const asked = page.getByRole('alertdialog', { name: `Reset usage of ${caller.username} in account-view@account.me?` })
  await asked.getByRole('button', { name: 'Reset usage' }).click()
  await expect(section.getByText(`The next call by ${caller.username} passes.`)).toBeVisible()
  expect(await call()).toBe(200)
  await set.click()
  await expect(page.getByRole('button', { name: 'account-view', exact: true })).toHaveAttribute('aria-expanded', 'true')
  await limits.clear.mutate(place)
  await theirs.dispose()
})

test('rows of subjects stay where the pointer is, and move once it leaves', async ({
  page,
  createAccount,
  playwright,
  sluice,
}) => {
  const [ann, ben] = [await createAccount(), await createAccount()]
  const callsOf = async (account: typeof ann) => {
    const request = await playwright.request.newContext({ baseURL: sluice.origin })
    await signInBy(request, account)
    return async (times: number) => {
      for (let call = 0; call < times; call += 1) await request.get('/api/trpc/account.me')
    }
  }
  const [callAsAnn, callAsBen] = [await callsOf(ann), await callsOf(ben)]
  await signIn(page, await createAccount({ role: 'superadmin' }))
  const place = { ruleSet: 'account-view', target: { kind: 'role', role: 'user' } } as const
  const { limits } = api(page.request)
  await limits.override.mutate({ ...place, terms: { rules: [{ limit: 20, window: '1h' }] } })
  await callAsAnn(12)
  await callAsBen(11)

  await page.goto('/admin/limits')
  const rows = page
    .getByRole('list', { name: 'Nearest to a limit' })
    .getByRole('listitem')
    .filter({ hasText: new RegExp(`${ann.username}|${ben.username}`) })
  await expect(rows).toContainText([`${ann.username}`, `${ben.username}`])
  await rows.first().hover()
  await callAsBen(5)
  await expect(rows.nth(1)).toContainText('16 of 20')
  await expect(rows.first()).toContainText(ann.username)
  await page.mouse.move(5, 5)
  await expect(rows.first()).toContainText(ben.username)

  // The same for the keyboard, a menu included.
  await rows.first().getByRole('button').focus()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('menuitem', { name: 'Explain a call' })).toBeVisible()
  await callAsAnn(6)
  await expect(rows.nth(1)).toContainText('18 of 20')
  await expect(rows.first()).toContainText(ben.username)
  await limits.clear.mutate(place)
})

test('a network that has used up its part of a shared count is named, and reset alone', async ({
  page,
  createAccount,
  playwright,
  sluice,
}) => {
  const theirs = await playwright.request.newContext({
    baseURL: sluice.origin,
    extraHTTPHeaders: { 'x-forwarded-for': '203.0.113.7' },
  })
  await signInBy(theirs, await createAccount())
  await signIn(page, await createAccount({ role: 'superadmin' }))
  const { limits } = api(page.request)
  const set = { by: 'site', networks: 20, rules: [{ limit: 40, window: '1h' }] } as const
  const place = { name: 'crawlers', procedure: 'account.sessions' }
  const apply = (mode: 'shadow' | 'enforce') =>
    limits.setRuleSet.mutate({ ...place, set: { ...set, rules: [...set.rules], mode } })
  await apply('shadow')
  await apply('enforce')
  const call = async () => (await theirs.get('/api/trpc/account.sessions')).status()
  await expect.poll(async () => [await call(), await call(), await call()].at(-1)).toBe(429)

  await page.goto('/admin/limits')
  const row = page
    .getByRole('list', { name: 'Nearest to a limit' })
    .getByRole('listitem')
    .filter({ hasText: 'crawlers-network-1h' })
  await expect(row).toContainText('203.0.113.0/24')
  await row.getByRole('button', { name: 'Actions for 203.0.113.0/24 in crawlers' }).click()
  // It is no caller.
  await expect(page.getByRole('menuitem')).toHaveText(['Reset usage'])
  await page.getByRole('menuitem').click()
  const asked = page.getByRole('alertdialog', { name: 'Reset usage of 203.0.113.0/24 in crawlers?' })
  await asked.getByRole('button', { name: 'Reset usage' }).click()
  await expect.poll(call).toBe(200)
  await page.locator('#explain').scrollIntoViewIfNeeded()
  const history = page.getByRole('list', { name: 'History' })
  await expect(history.getByText(/reset the usage of 203\.0\.113\.0\/24 in crawlers$/)).toBeVisible()
  await limits.removeRuleSet.mutate(place)
  await theirs.dispose()
})
