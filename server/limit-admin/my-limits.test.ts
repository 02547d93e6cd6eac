import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { parseRuleSetName } from '#format/rule-set-name.ts'
import { ruleSets } from '#messages/en/rule-sets.ts'
import { insertToken } from '#testing/accounts/api-token.ts'
import { insertBareImage } from '#testing/library/insert-image.ts'
import { startApp, type TestApp } from '#testing/sluice/sluice-app.ts'
import type { MyLimits } from './my-limits.ts'

let test: TestApp
beforeAll(async () => {
  test = await startApp()
})
afterAll(() => test[Symbol.asyncDispose]())

const namesIn = ({ rules }: MyLimits) => [...new Set(rules.map(({ ruleSet }) => ruleSet))]
const remaining = ({ rules }: MyLimits, policy: string) => rules.find((rule) => rule.policy === policy)?.remaining

describe('limits.mine', () => {
  it('starts full, decreases with use, and is not charged for reading it', async () => {
    const person = await test.person()
    const caller = test.as(person)
    const before = await caller.limits.mine()
    expect(before.isUnlimited).toBe(false)
    expect(before.rules.find(({ ruleSet }) => ruleSet === 'view')).toEqual({
      ruleSet: 'view',
      policy: 'view-1s',
      words: '300 per second',
      parts: { limit: 300, unit: 'calls', window: 1_000 },
      unit: 'calls',
      limit: 300,
      windowMs: 1_000,
      remaining: 300,
      resetMs: 0,
    })
    // Except for this very call.
    const used = before.rules.filter(({ remaining, limit }) => remaining !== limit)
    expect(used.map(({ policy, remaining }) => [policy, remaining])).toEqual([
      ['own-limits-1s', 4],
      ['own-limits-1m', 59],
    ])
    const { id } = await insertBareImage(test.app.db, person.viewer.userId)
    await caller.image.get({ id })
    const after = [await caller.limits.mine(), await caller.limits.mine()]
    expect(after.map((mine) => remaining(mine, 'view-1h'))).toEqual([14_999, 14_999])
  })

  it('lists what the caller may do, and nothing else', async () => {
    const own = namesIn(await test.as(await test.person()).limits.mine())
    expect(own).toEqual(
      expect.arrayContaining(['upload', 'uploading', 'upload-bytes', 'download', 'view-large', 'sent-bytes']),
    )
    expect(own.filter((name) => /^(token-|sign-in|operations-change|page|metrics)/.test(name))).toEqual([])
    const guests = namesIn(await test.as(null).limits.mine())
    expect([guests.includes('view'), guests.includes('upload')]).toEqual([true, false])
  })

  it('has a title for each set that the account page shows', async () => {
    const names = [null, await test.person(), await test.person({ shared: true, role: 'admin' })].map(async (person) =>
      namesIn(await test.as(person).limits.mine()),
    )
    const shown = (await Promise.all(names)).flat()
    expect(shown.filter((name) => !Object.hasOwn(ruleSets.title, parseRuleSetName(name).key))).toEqual([])
  })

  it('lists what the scopes of a token allow, with its own limits', async () => {
    const { headers } = await insertToken(test, await test.person(), ['read'])
    const names = namesIn(await mineBy(headers))
    expect(['view', 'token-read', 'upload', 'token-upload'].map((name) => names.includes(name))).toEqual([
      true,
      true,
      false,
      false,
    ])
  })

  it('is unlimited for a superadmin, and for their tokens', async () => {
    const owner = await test.person({ role: 'superadmin' })
    expect(await test.as(owner).limits.mine()).toEqual({ isUnlimited: true, rules: [] })
    const { headers } = await insertToken(test, owner, ['read', 'upload'])
    expect(await mineBy(headers)).toEqual({ isUnlimited: true, rules: [] })
  })
})

async function mineBy(headers: Record<string, string>): Promise<MyLimits> {
  const answer = await fetch(`${test.origin}/api/trpc/limits.mine`, { headers })
  const { result }: { result: { data: MyLimits } } = JSON.parse(await answer.text())
  return result.data
}
