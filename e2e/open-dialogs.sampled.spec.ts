import type { Page } from '@playwright/test'
import { type Locale, localeCookie, locales } from '#format/locale.ts'
import { catalogues } from '#messages/catalogues.ts'
import { picture } from '../testing/images/pictures.ts'
import { variantDrawer } from '../testing/sampled.ts'
import { type Account, api, expect, signIn, test } from './fixtures.ts'
import { findBarriersIn, type Theme } from './page-checks.ts'

type Catalogue = (typeof catalogues)[Locale]

interface Opened {
  readonly name: string
  /** Opens it over its page, in the words of the page's language. */
  open(page: Page, say: Catalogue): Promise<void>
}

/** What is open. */
const OPEN = '[role=dialog], [role=alertdialog], [role=menu]'

const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click()

interface Places {
  readonly slug: string
  readonly album: string
  readonly user: Account
}

/** What opens over pages, by page: dialogs and menus, each loaded when it is first needed. */
const listOpened = ({ slug, album, user }: Places): Readonly<Record<string, readonly Opened[]>> => ({
  '/': [
    { name: 'filters', open: (page, { finding }) => press(page, finding.filters) },
    { name: 'saved searches', open: (page, { finding }) => press(page, finding.views) },
    { name: 'menu of the account', open: (page) => page.locator('header button[aria-haspopup=menu]').click() },
    { name: 'help', open: (page) => page.keyboard.press('?') },
  ],
  [`/image/${slug}`]: [{ name: 'share an image', open: (page, { sharing }) => press(page, sharing.share) }],
  '/albums': [{ name: 'new album', open: (page, { albums }) => press(page, albums.create) }],
  [`/albums/${album}`]: [
    { name: 'share an album', open: (page, { albums }) => press(page, albums.share) },
    { name: 'menu of an album', open: (page, { albums }) => press(page, albums.more) },
  ],
  '/account': [
    { name: 'new token', open: (page, { tokens }) => press(page, tokens.create) },
    { name: 'authenticator app', open: (page, { factors }) => press(page, factors.setUp) },
  ],
  '/admin/users': [
    { name: 'new user', open: (page, { adminUsers }) => press(page, adminUsers.createUser) },
    { name: 'invites', open: (page, { adminUsers }) => press(page, adminUsers.invite) },
    { name: 'menu of a user', open: (page, say) => openUserMenu(page, say, user) },
    { name: 'role of a user', open: (page, say) => chooseAction(page, say, user, 'role') },
    { name: 'quota of a user', open: (page, say) => chooseAction(page, say, user, 'quota') },
  ],
  '/admin/spending': [
    { name: 'prices', open: (page, { adminSpending }) => press(page, adminSpending.enterPrices) },
    { name: 'new budget', open: (page, { adminSpending }) => press(page, adminSpending.addBudget) },
  ],
  '/admin/limits#set-view': [
    { name: 'override', open: (page, { adminOverrides }) => press(page, adminOverrides.override) },
  ],
})

const openUserMenu = (page: Page, { adminUsers }: Catalogue, { username }: Account) =>
  press(page, adminUsers.actions.replace('{username}', username))

async function chooseAction(page: Page, say: Catalogue, user: Account, action: 'role' | 'quota'): Promise<void> {
  await openUserMenu(page, say, user)
  await page.getByRole('menuitem', { name: say.adminUsers.action[action] }).click()
  // The menu's popover is a dialog too.
  await expect(page.getByRole('menu')).toHaveCount(0)
}

interface Look {
  readonly locale: Locale
  readonly theme: Theme
}

/** Colours do not depend on the language: each theme is seen in one of them. */
const looks: readonly [Look, ...Look[]] = [
  { locale: 'en', theme: 'light' },
  { locale: 'zh-CN', theme: 'dark' },
]

test('every language is among the looks', () => {
  expect(looks.map(({ locale }) => locale).sort()).toEqual([...locales].sort())
})

test('no open dialog or menu keeps anyone from using it, in either language and theme', async ({
  page,
  owner,
  createAccount,
  sluice,
}) => {
  test.setTimeout(360_000)
  page.setDefaultTimeout(15_000)
  await signIn(page, owner)
  const user = await createAccount()
  const { album, image } = api(page.request)
  const bytes = await picture({ width: 600, height: 400, seed: 150 })
  const { id } = await image.upload.mutate(new File([new Uint8Array(bytes)], 'lock.jpg'))
  const { slug } = await image.get.query({ id })
  const filed = await album.create.mutate({ title: 'Canals' })
  await album.add.mutate({ id: filed.id, images: [id] })
  // A menu is inside a dialog.
  const opened = page.locator(OPEN).first()
  const problems: string[] = []
  const draw = variantDrawer()
  const visits = Object.entries(listOpened({ slug: slug ?? '', album: filed.id, user })).map(([path, those]) => ({
    path,
    those,
    drawn: draw(looks),
  }))
  // A language at a time: opened twice in a row, an address with a fragment would not load again.
  for (const look of looks) {
    const { locale, theme } = look
    const say = catalogues[locale]
    await page.context().addCookies([{ name: localeCookie, value: locale, url: sluice.origin }])
    for (const { path, those } of visits.filter(({ drawn }) => drawn.includes(look))) {
      await page.goto(path)
      await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
      for (const { name, open } of those) {
        await open(page, say)
        await expect(opened, name).toBeVisible()
        const barriers = await findBarriersIn(page, theme, { within: OPEN })
        problems.push(...barriers.map((barrier) => `${name} in ${locale}, ${barrier}`))
        await page.keyboard.press('Escape')
        await expect(opened, name).toBeHidden()
      }
    }
  }
  expect(problems).toEqual([])
})
