import { afterAll, beforeAll, expect, it } from 'vitest'
import { type Person, startApp, type TestApp } from '#testing/sluice/sluice-app.ts'
import { viewerOfSession } from './sessions/sessions.ts'

let test: TestApp
let person: Person
beforeAll(async () => {
  test = await startApp()
  person = await test.person()
})
afterAll(() => test[Symbol.asyncDispose]())

const chosen = async ({ sessionId }: Person) => (await viewerOfSession(test.app, sessionId))?.locale

it('keeps the language with the account, until it is left to the browser again', async () => {
  expect(await chosen(person)).toBeNull()
  expect(await test.as(person).account.setLocale({ locale: 'zh-CN' })).toEqual({ locale: 'zh-CN' })
  expect(await chosen(person)).toBe('zh-CN')
  await test.as(person).account.setLocale({ locale: null })
  expect(await chosen(person)).toBeNull()
})

it.each([
  ['a path', '../../etc'],
  ['another case', 'zh-cn'],
  ['a name of every object', '__proto__'],
  ['10,000 letters', 'z'.repeat(10_000)],
  ['a list', ['zh-CN']],
  ['nothing', undefined],
])('refuses %s with what can be chosen', async (_, locale) => {
  const answer = await fetch(`${test.origin}/api/trpc/account.setLocale`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', cookie: person.cookie },
    body: JSON.stringify({ locale }),
  })
  const { error } = await answer.json()
  expect([answer.status, error.message]).toEqual([
    400,
    'Choose a language of this site, such as zh-CN, or null for that of each browser.',
  ])
  expect(await chosen(person)).toBeNull()
})

it('reads a language that only a newer version has as none', async () => {
  await test.app.db.user.update({ where: { id: person.viewer.userId }, data: { locale: 'tlh' } })
  expect(await chosen(person)).toBeNull()
})

it('ignores what was chosen before an account was shared', async () => {
  const shared = await test.person({ shared: true })
  await test.app.db.user.update({ where: { id: shared.viewer.userId }, data: { locale: 'zh-CN' } })
  expect(await chosen(shared)).toBeNull()
})
