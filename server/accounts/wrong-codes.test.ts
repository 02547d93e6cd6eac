import { afterAll, beforeAll, expect, test } from 'vitest'
import { passkeySignIn } from '#server/identity/limits.ts'
import type { RuleSet } from '#server/limits/rule-set.ts'
import { compileRuleSets } from '#server/limits/rules/compile.ts'
import { storeImageFor } from '#testing/library/stored-image.ts'
import { type Person, startApp, type TestApp, type TestCaller } from '#testing/sluice/sluice-app.ts'
import { hashLink } from '../images/links/deletion-link.ts'
import { inviteLookup } from './invites/limits.ts'
import { signUp } from './limits.ts'
import { passwordLinkLookup } from './links/limits.ts'
import { toCaller } from './viewer.ts'

const PASSWORD = 'a password of this test'
const ADDRESS = '198.51.100.9'
const WRONG = 100

const name = () => `n${crypto.randomUUID().slice(0, 12)}`
let networks = 0
function newNetwork(): string {
  networks += 1
  return `2001:db8:${networks}`
}

let served: TestApp
let owner: Person
beforeAll(async () => {
  served = await startApp()
  owner = await served.person({ role: 'superadmin' })
})
afterAll(() => served[Symbol.asyncDispose]())

test('an invite works after a hundred wrong codes from the same address, and accounts stay limited', async () => {
  const guest = served.as(null, ADDRESS)
  const { code } = await served.as(owner).invite.create({ uses: 9, days: 1 })
  const signUp = (username: string, invite: string) => guest.account.signUp({ username, password: PASSWORD, invite })
  for (let at = 0; at < WRONG; at += 1)
    await expect(signUp(`wrong-${at}`, `code-${at}`)).rejects.toMatchObject({ code: 'FORBIDDEN' })
  for (let at = 0; at < 5; at += 1) expect(await signUp(`guest-${at}`, code)).toEqual({ username: `guest-${at}` })
  await expect(signUp('guest-5', code)).rejects.toMatchObject({ code: 'TOO_MANY_REQUESTS' })
})

test('a deletion link works after a hundred wrong ones from the same address', async () => {
  const guest = served.as(null, ADDRESS)
  const { id } = await storeImageFor(served, owner)
  const link = 'a'.repeat(22)
  await served.app.db.deletionLink.create({ data: { linkHash: hashLink(link), imageId: id } })
  const codes = []
  for (let at = 0; at < WRONG; at += 1)
    codes.push(await guest.image.showByLink({ link: `wrong-${at}` }).catch(({ code }: { code: string }) => code))
  expect(codes).toEqual([...Array(30).fill('NOT_FOUND'), ...Array(70).fill('TOO_MANY_REQUESTS')])
  expect(await guest.image.showByLink({ link })).toMatchObject({ trashDays: 30 })
  expect(await guest.image.deleteByLink({ link })).toMatchObject({ ownId: null })
})

test.each<[string, readonly RuleSet[], (guest: TestCaller, code: string) => Promise<unknown>]>([
  ['accounts', signUp, (guest, invite) => guest.account.signUp({ username: name(), password: PASSWORD, invite })],
  [
    'opened invites',
    inviteLookup,
    (guest, invite) => guest.account.signUp({ username: name(), password: PASSWORD, invite }),
  ],
  ['opened password links', passwordLinkLookup, (guest) => guest.account.showByLink({ link: 'wrong' })],
  ['challenges for passkeys', passkeySignIn, (guest) => guest.identity.beginPasskeySignIn({})],
])('%s of an IPv6 /48 have an end, from however many of its /64s they come', async (...[, declared, act]) => {
  const { code } = await served.as(owner).invite.create({ uses: 9, days: 1 })
  const outcome = (address: string) =>
    act(served.as(null, address), code).then(
      () => 'done',
      (error: { code: string }) => error.code,
    )
  const [used, other] = [newNetwork(), newNetwork()]
  const sets = compileRuleSets('test', declared).filter(({ facts }) => facts.by === 'network')
  const cost = Math.min(...declared.filter(({ by }) => by === 'network').flatMap(limitsOf))
  await served.app.limiter.reserve([{ sets, caller: toCaller(null, `${used}:1::`), cost }])
  expect(await outcome(`${used}:2::`)).toBe('TOO_MANY_REQUESTS')
  expect(await outcome(`${other}:2::`)).not.toBe('TOO_MANY_REQUESTS')
})

const limitsOf = ({ rules }: RuleSet) => rules.flatMap((rule) => ('limit' in rule ? Number(rule.limit) : []))
