import type { Algorithm, CompiledRule, SetFacts } from './rules/compiled.ts'
import type { Charge, LimitStore, Receipt } from './store.ts'

/** What one rule has counted for a caller. */
export interface RuleState {
  readonly key: string
  /** The value of the argument that the key counts; null for none, or a long one. */
  readonly argument: string | null
  readonly facts: SetFacts
  readonly algorithm: Algorithm
  readonly rule: CompiledRule
  /** Permits that still count. */
  readonly used: number
  /** Permits left, a block aside. */
  readonly remaining: number
  /** Milliseconds until the next permits return, a block aside; 0 when all are available. */
  readonly resetMs: number
  /** Milliseconds until a call that costs one permit would pass; 0 for now. */
  readonly waitMs: number
  /** Milliseconds until the block ends that the rule began when it refused; 0 for none. */
  readonly blockedMs: number
}

/** The states of all rules of some charges, and who has counted them. */
export interface RuleStates {
  readonly rules: readonly RuleState[]
  readonly answeredBy: Receipt['answeredBy']
}

/** Two instants are rounded to milliseconds each. */
const ROUNDING_MS = 2

/** Reads the state of every rule of the charges without charging anything. Asks twice, the second time as if no rule had
 *  a block, because a block hides what the rule has counted. */
export async function readRuleStates(charges: readonly Charge[], store: LimitStore): Promise<RuleStates> {
  const blocks = charges.some(isBlocking)
  const asked = await store.apply({ type: 'peek', charges })
  const free = blocks ? await store.apply({ type: 'peek', charges: charges.map(withoutBlocks) }) : asked
  const rules = asked.lines.flatMap(({ charge, answers, at }) => {
    const plain = free.lines.find((line) => line.charge.key === charge.key) ?? { answers, at }
    return charge.rules.flatMap((rule: CompiledRule, index): RuleState[] => {
      const [answer, own] = [answers[index], plain.answers[index]]
      if (!answer || !own) return []
      const { key, facts, algorithm } = charge
      const { remaining, resetMs } = own
      // Both waits end at one instant without a block, whose milliseconds are rounded.
      const isBlocked = at.store + answer.waitMs > plain.at.store + own.waitMs + ROUNDING_MS
      return [
        {
          key,
          argument: charge.known?.argument ?? null,
          facts,
          algorithm,
          rule,
          used: rule.limit - remaining,
          remaining,
          resetMs,
          waitMs: answer.waitMs,
          blockedMs: isBlocked ? answer.waitMs : 0,
        },
      ]
    })
  })
  return { rules, answeredBy: asked.answeredBy }
}

function isBlocking({ rules, facts }: Charge): boolean {
  return facts.blockedUntil !== undefined || rules.some(({ blockMs }: CompiledRule) => blockMs > 0)
}

function withoutBlocks<C extends Charge>(charge: C): C {
  const rules = charge.rules.map((rule: CompiledRule) => ({ ...rule, blockMs: 0 }))
  return { ...charge, rules, facts: { ...charge.facts, blockedUntil: undefined } }
}
