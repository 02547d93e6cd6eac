import { tokenRequests } from '#server/accounts/tokens/token-limits.ts'
import type { Viewer } from '#server/accounts/viewer.ts'
import { download, downloadOfOne, sentBytes } from '#server/images/limits.ts'
import type { LimitRequest } from '#server/limits/charges.ts'
import type { RuleSet } from '#server/limits/rule-set.ts'
import { compileRuleSets } from '#server/limits/rules/compile.ts'
import type { Caller } from '#server/limits/subject.ts'

/** Zips on their way to somebody: each holds a connection, and reads the store for as long as that takes. */
const zipping: readonly RuleSet[] = [{ name: 'zipping', by: 'subject', rules: [{ concurrent: 2 }] }]

/** What a zip takes: of `download` as many permits as it has images, and of each image one as on every road to its bytes. */
export const zipRules = [...download, ...zipping, ...downloadOfOne, ...sentBytes]

const calls = compileRuleSets('zip', [...download, ...zipping])
const ofOne = compileRuleSets('zip', downloadOfOne)
const bytes = compileRuleSets('zip', sentBytes)

/** All of them, as they are charged. */
export const zipLimits = compileRuleSets('zip', zipRules)

/** What a zip of so many images takes before they are looked up; of the token too that it is made by. */
export function zipCalls(
  caller: Caller,
  payer: Viewer | null,
  isFree: boolean,
  images: number,
): readonly LimitRequest[] {
  const own = isFree ? [] : [{ sets: calls, caller, cost: images }]
  return [...own, ...tokenRequests(payer, 'read', images)]
}

/** What its bytes take, once it is known which images they are of. */
export function zipBytes(caller: Caller, slugs: readonly string[], amount: number): readonly LimitRequest[] {
  return [
    { sets: ofOne, caller, input: { slug: slugs } },
    { sets: bytes, caller, bytes: amount },
  ]
}
