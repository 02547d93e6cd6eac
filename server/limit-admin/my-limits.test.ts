import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { tokenOf } from '#testing/api-token.ts'
import { insertImage } from '#testing/insert-image.ts'
import { startApp, type TestApp } from '#testing/sluice-app.ts'
import type { MyLimits } from './my-limits.ts'

let test: TestApp
beforeAll(async () => {
  test = await startApp()
})
afterAll(() => test[Symbol.asyncDispose]())

const namesIn = ({ rules }: MyLimits) => [...new Set(rules.map(({ ruleSet }) => ruleSet))]
const remaining = ({ rules }: MyLimits, policy: string) => rules.find((rule) => rule.policy === policy)?.remaining

describe('what remains for me', () => {
  it('is all of it at first, less what I use, and looking takes nothing of it', async () => {
    const person = await test.person()
    const caller = test.as(person)
    const before = await caller.limits.mine()
    expect(before.isUnlimited).toBe(false)
    expect(before.rules.find(({ ruleSet }) => ruleSet === 'view')).toEqual({
      ruleSet: 'view',
      policy: 'view-1s',
      words: '300 per second',
      unit: 'calls',
      limit: 300,
      windowMs: 1_000,
      remaining: 300,
      resetMs: 0,
    })
    // The look itself.
    const used = before.rules.filter(({ remaining, limit }) => remaining !== limit)
    expect(used.map(({ policy, remaining }) => [policy, remaining])).toEqual([
      ['operations-view-1s', 19],
      ['operations-view-1m', 119],
    ])
    const { id } = await insertImage(test.app.db, person.viewer.userId)
    await caller.image.get({ id })
    const after = [await caller.limits.mine(), await caller.limits.mine()]
    expect(after.map((mine) => remaining(mine, 'view-1h'))).toEqual([14_999, 14_999])
  })

  it('holds what I may do, and of nobody else', async () => {
    const own = namesIn(await test.as(await test.person()).limits.mine())
    expect(own).toEqual(
      expect.arrayContaining(['upload', 'uploading', 'upload-bytes', 'download', 'view-large', 'sent-bytes']),
    )
    expect(own.filter((name) => /^(token|sign-in|operations-change|page|metrics)/.test(name))).toEqual([])
    const guests = namesIn(await test.as(null).limits.mine())
    expect([guests.includes('view'), guests.includes('upload')]).toEqual([true, false])
  })

  it('is by a token what its scopes let it do, with its own beside', async () => {
    const { headers } = await tokenOf(test, await test.person(), ['read'])
    const names = namesIn(await mineBy(headers))
    expect(['view', 'token-read', 'upload', 'token-upload'].map((name) => names.includes(name))).toEqual([
      true,
      true,
      false,
      false,
    ])
  })

  it('is without end for a superadmin, whose token has its own alone', async () => {
    const owner = await test.person({ role: 'superadmin' })
    expect(await test.as(owner).limits.mine()).toEqual({ isUnlimited: true, rules: [] })
    const { headers } = await tokenOf(test, owner, ['read', 'upload'])
    const mine = await mineBy(headers)
    expect([mine.isUnlimited, namesIn(mine)]).toEqual([true, ['token-read', 'token-sent-bytes', 'token-upload']])
  })
})

async function mineBy(headers: Record<string, string>): Promise<MyLimits> {
  const answer = await fetch(`${test.origin}/api/trpc/limits.mine`, { headers })
  const { result }: { result: { data: MyLimits } } = JSON.parse(await answer.text())
  return result.data
}
