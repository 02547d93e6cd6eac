import { expect, signIn, test } from './fixtures.ts'

test.describe('a browser that prefers Chinese', () => {
  test.use({ locale: 'zh-SG' })

  test('gets pages in Chinese, in English once a guest has chosen it, and no sentence in a script', async ({
    page,
    sluice,
  }) => {
    const answer = await page.goto('/signin')
    expect(answer?.headers()['cache-control']).toContain('no-store')
    await expect(page.locator('html')).toHaveAttribute('lang', 'zh-CN')
    await expect(page.locator('html')).toHaveAttribute('dir', 'ltr')
    await expect(page).toHaveTitle('登录 · Sluice')
    await expect(page.getByRole('heading', { name: '登录' })).toBeVisible()
    await expect(page.locator('option[lang=en]')).toHaveText('English')

    // Without a reload: what is on the page stays.
    await page.evaluate(() => document.body.setAttribute('data-kept', ''))
    await page.getByRole('combobox', { name: '语言' }).selectOption('English')
    await expect(page.getByRole('heading', { name: 'Sign in' })).toBeVisible()
    await expect(page.locator('html')).toHaveAttribute('lang', 'en')
    await expect(page).toHaveTitle('Sign in · Sluice')
    await expect(page.locator('body[data-kept]')).toHaveCount(1)

    const scripts = await page.locator('script[src]').evaluateAll((all) => all.map((each) => each.getAttribute('src')))
    const texts = await Promise.all(
      scripts.map(async (src) => (await page.request.get(`${sluice.origin}${src}`)).text()),
    )
    expect(texts.filter((text) => /Choose a language of this site|Wrong user name/.test(text))).toEqual([])
  })

  test('says a failure in Chinese', async ({ page }) => {
    await page.goto('/signin')
    await page.getByLabel('用户名').fill('nobody')
    await page.getByLabel('密码', { exact: true }).fill('not the password')
    await page.getByRole('button', { name: '登录' }).click()
    await expect(page.getByText(/^用户名或密码错误。/)).toBeVisible()
  })

  test('shows what is missing in Chinese', async ({ page }) => {
    const answer = await page.goto('/nothing')
    expect(answer?.status()).toBe(404)
    await expect(page).toHaveTitle('找不到页面 · Sluice')
  })
})

test.describe('a browser without script', () => {
  test.use({ javaScriptEnabled: false })

  test('chooses its language with a button, and stays on the page', async ({ page, sluice }) => {
    await page.goto('/signin')
    await page.getByRole('button', { name: '简体中文' }).click()
    await expect(page).toHaveURL(`${sluice.origin}/signin`)
    await expect(page.getByRole('heading', { name: '登录' })).toBeVisible()
    await page.getByRole('button', { name: 'English' }).click()
    await expect(page.getByRole('heading', { name: 'Sign in' })).toBeVisible()
  })

  test('is not moved to another site, and chooses nothing that is no language', async ({ page, sluice }) => {
    const form = { locale: '../../etc/passwd', next: '//example.org' }
    const answer = await page.request.post('/api/auth/language', { form, maxRedirects: 0 })
    expect([answer.status(), answer.headers().location, answer.headers()['set-cookie']]).toEqual([303, '/', undefined])
    const foreign = await page.request.post('/api/auth/language', {
      form: { locale: 'zh-CN' },
      headers: { origin: 'https://example.org' },
      maxRedirects: 0,
    })
    expect(foreign.status()).toBe(403)
    await page.goto(sluice.origin)
    await expect(page.locator('html')).toHaveAttribute('lang', 'en')
  })
})

test('an account keeps its language on every device, over what the browser says', async ({
  browser,
  createAccount,
  page,
  sluice,
}) => {
  const account = await createAccount()
  await signIn(page, account)
  await page.goto('/account')
  await page.getByRole('combobox', { name: 'Language' }).selectOption('简体中文')
  await expect(page.getByRole('heading', { name: '存储空间' })).toBeVisible()

  await using other = await browser.newContext({ baseURL: sluice.origin, locale: 'en-GB' })
  const elsewhere = await other.newPage()
  await signIn(elsewhere, account)
  await elsewhere.goto('/trash')
  await expect(elsewhere).toHaveTitle('回收站 · Sluice')
  // Refusals are written without asking who is reading: the cookie repeats the choice.
  await expect
    .poll(async () => (await other.cookies()).find(({ name }) => name === 'sluice-locale')?.value)
    .toBe('zh-CN')

  await page.getByRole('combobox', { name: '语言' }).selectOption('跟随浏览器')
  await expect(page.getByRole('heading', { name: 'Storage' })).toBeVisible()
})
