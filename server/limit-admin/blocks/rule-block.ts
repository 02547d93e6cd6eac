import type { BlockedKey } from '#server/limits/block-list.ts'
import type { CompiledRule, CompiledRuleSet } from '#server/limits/rules/compiled.ts'
import type { Catalogue } from '../catalogue.ts'
import { nameOfSet, parseKey, partsOfKey } from '../counted-key.ts'
import type { ActiveOverride } from '../overrides/override-book.ts'

/** A block that a rule with `blockFor` has begun. */
export interface RuleBlock {
  readonly key: string
  /** As in the key's braces. */
  readonly subject: string
  readonly ruleSet: string
  readonly policy: string
  /** Milliseconds until it ends, and that it lasts in all. */
  readonly leftMs: number
  readonly blockMs: number
}

/** Returns the block of a key; null if the rules that are in force now block nothing, so that it has no effect. */
export function blockOfKey(
  { key, leftMs }: BlockedKey,
  catalogue: Catalogue,
  overrides: readonly ActiveOverride[],
): RuleBlock | null {
  const counted = parseKey(key)
  if (!counted) return null
  const { subject, name } = counted
  const parts = partsOfKey(counted, catalogue, overrides).filter(({ part }) => part.shape === counted.shape)
  const [longest] = likelyParts(parts, subject)
    .flatMap((part) => blockingRules(part, leftMs))
    .toSorted((a, b) => b.leftMs - a.leftMs)
  return longest ? { key, subject, ruleSet: nameOfSet(catalogue, name), ...longest } : null
}

/** Those that may hold for a subject: its own override, or one for all; otherwise whatever its role decides. */
function likelyParts(parts: ReturnType<typeof partsOfKey>, subject: string): readonly CompiledRuleSet[] {
  const of = (isMeant: (override: ActiveOverride | null) => boolean) =>
    parts.filter(({ override }) => isMeant(override)).map(({ part }) => part)
  const own = of((override) => override?.target.kind === 'subject' && override.target.subject === subject)
  if (own.length > 0) return own
  const ofRoles = of((override) => override?.target.kind === 'role')
  const ofAll = of((override) => override?.target.kind === 'all')
  return ofAll.length > 0 ? [...ofRoles, ...ofAll] : [...ofRoles, ...of((override) => override === null)]
}

function blockingRules({ facts, rules }: CompiledRuleSet, leftMs: readonly number[]) {
  if (facts.mode !== 'enforce') return []
  return rules.flatMap(({ policy, blockMs }: CompiledRule, at) => {
    const left = leftMs[at] ?? 0
    return blockMs > 0 && left > 0 ? [{ policy, blockMs, leftMs: left }] : []
  })
}
