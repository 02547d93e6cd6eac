import { expect, test } from 'vitest'
import { createLimiter, type Limiter } from '../limiter.ts'
import { withFacts } from '../overrides.ts'
import type { AnyRuleSet } from '../rule-set.ts'
import { compileRuleSets } from '../rules/compile.ts'
import type { TrialCounts } from '../rules/compiled.ts'
import { merged } from './merge.ts'
import { snapshotOf } from './snapshot.ts'

const NOW = 1_700_000_000_000
const cost = (input: unknown) => (input as { size: number }).size
const declared = [
  { name: 'view', by: 'subject', cost, rules: [{ limit: 20, window: '1m' }] },
  { name: 'other', by: 'ip', rules: [{ limit: 1_000, window: '1m' }] },
] satisfies AnyRuleSet[]
const tried = [
  { limit: 12, window: '1m' },
  { limit: 20, window: '5m', algorithm: 'token-bucket' },
] as const

function trialOf(ruleSet: string, rules: AnyRuleSet['rules'], more: Partial<AnyRuleSet> = {}) {
  const counts: TrialCounts = { ruleSet, version: '1', since: NOW, asked: 0, refused: 0 }
  const sets = compileRuleSets('try', [
    { name: `${ruleSet}-trial`, by: 'subject', mode: 'shadow', ...more, rules } as AnyRuleSet,
  ])
  return { counts, trial: { ruleSet, sets: sets.map((set) => withFacts(set, { trial: counts })) } }
}

/** Calls of two procedures that share the set, by a few callers, of different costs. */
async function makeCalls(limiter: Limiter, clock: { time: number }, onAllowed: (of: object) => Promise<void>) {
  let seed = 7
  const random = (most: number) => {
    seed = (seed * 1_103_515_245 + 12_345) % 2 ** 31
    return seed % most
  }
  for (let i = 0; i < 400; i += 1) {
    clock.time += random(1_500)
    const procedure = random(2) === 0 ? 'image.list' : 'image.get'
    const caller = { address: '192.0.2.1', userId: `user-${random(3)}`, shared: random(3) === 0 }
    const call = { sets: compileRuleSets(procedure, declared), caller, input: { size: 1 + random(4) } }
    const { decision } = await limiter.reserve([{ ...call, procedure }], { label: procedure })
    if (decision.allowed) await onAllowed(call)
  }
}

test('a trial counts over all procedures what its rules would have refused of the allowed calls, exactly', async () => {
  const clock = { time: NOW, now: () => clock.time }
  const limiter = createLimiter({ clock })
  // The same rules, enforced: what they are asked is what the others have allowed.
  const model = createLimiter({ clock })
  const view = trialOf('view', [...tried])
  // Two that would refuse nearly everything, beside it.
  const other = trialOf('other', [{ limit: 1, window: '1d' }], { by: 'ip' })
  const shadow = compileRuleSets('image.list', [
    { name: 'added', by: 'ip', mode: 'shadow', rules: [{ limit: 1, window: '1d' }] },
  ])
  limiter.override([], [{ procedure: 'image.list', sets: shadow }], [view.trial, other.trial])
  const expected = { asked: 0, refused: 0 }
  const enforced = compileRuleSets('try', [{ name: 'view-trial', by: 'subject', cost, rules: [...tried] }])
  await makeCalls(limiter, clock, async (call) => {
    expected.asked += 1
    const of = { ...call, sets: enforced } as Parameters<Limiter['reserve']>[0][number]
    if (!(await model.reserve([of])).decision.allowed) expected.refused += 1
  })
  expect(expected.refused).toBeGreaterThan(20)
  expect(expected.asked).toBeLessThan(400)
  expect(view.counts).toMatchObject(expected)
  expect(other.counts).toMatchObject({ asked: expected.asked, refused: expected.asked - 1 })
  expect(limiter.stats().trials).toEqual([other, view].map(({ counts }) => ({ ...counts, wholeSince: NOW })))
})

test('the counts of all processes are added up, each version by itself', () => {
  const snapshots = ['1', '1', '2'].map((version, at) =>
    snapshotOf(NOW / 1_000, [], {
      ...{ at: NOW, nearest: [], mostRefused: [] },
      trials: [{ ruleSet: 'view', version, since: NOW - at, asked: 10, refused: at }],
    }),
  )
  expect(merged(snapshots, NOW).trials).toEqual([
    { ruleSet: 'view', version: '1', since: NOW - 1, wholeSince: NOW, asked: 20, refused: 1 },
    { ruleSet: 'view', version: '2', since: NOW - 2, wholeSince: NOW - 2, asked: 10, refused: 2 },
  ])
})
