import { z } from 'zod'
import type { CompiledRule } from '#server/limits/rules/compiled.ts'
import { ALGORITHMS } from '#server/limits/rules/compiled.ts'
import { canBlock, type ReceiptLine } from '#server/limits/store.ts'
import { parseKey } from '../counted-key.ts'
import { shownTarget, targetSchema } from '../overrides/override-target.ts'
import type { NotedRefusal } from './refusal-log.ts'

const count = z.number()
const name = z.string().max(500)
const rate = {
  limit: count,
  unit: z.enum(['calls', 'bytes']).optional(),
  window: count,
  calendar: z.enum(['day', 'week', 'month']).optional(),
  atOnce: count.optional(),
  blockFor: count.optional(),
}

/** A rule that was asked, with what it had counted. Times are milliseconds from the decision on. */
const ruleSchema = z.object({
  ruleSet: name,
  policy: name,
  unit: z.enum(['calls', 'bytes']),
  mode: z.enum(['enforce', 'shadow', 'degrade']),
  key: name,
  algorithm: z.enum(ALGORITHMS),
  parts: z.union([z.object({ concurrent: count }), z.object(rate)]),
  limit: count,
  windowMs: count,
  /** Permits that the call would have taken. */
  cost: count,
  used: count,
  remaining: count,
  resetMs: count,
  waitMs: count,
  blockedMs: count,
  override: targetSchema.nullable(),
  /** The value of the argument that it counts; absent for none, or a long one. */
  argument: name.optional(),
})

/** A refused call as it was decided; one process sends it to another, so it is parsed. */
export const keptRefusalSchema = z.object({
  /** ISO 8601. */
  at: z.iso.datetime(),
  /** The procedure or route; the refusing rule set if it was charged by itself. */
  procedure: name,
  /** Whom the refusing rule counts. */
  subject: name,
  decidedBy: z.enum(['store', 'local', 'policy', 'cache', 'block']),
  retryAfterMs: count,
  waitedMs: count,
  /** Every rule that was asked. A refusal that was remembered asks no other. */
  rules: z.array(ruleSchema),
})

export type KeptRefusal = z.output<typeof keptRefusalSchema>

/** Describes a refusal by what the limiter had decided it from. */
export function keptRefusal({ at, label, policy, retryAfterMs, waitedMs, receipt }: NotedRefusal): KeptRefusal {
  const rules = receipt.lines.flatMap(rulesOf)
  // Several values of one argument have the same rule.
  const named = rules.filter((rule) => rule.policy === policy)
  const refusing = named.find(({ waitMs }) => waitMs === retryAfterMs) ?? named[0] ?? rules[0]
  return {
    at: new Date(at).toISOString(),
    procedure: label ?? refusing?.ruleSet ?? '',
    subject: parseKey(refusing?.key ?? '')?.subject ?? '',
    ...{ decidedBy: receipt.answeredBy, retryAfterMs, waitedMs, rules },
  }
}

function rulesOf({ charge, answers }: ReceiptLine): KeptRefusal['rules'] {
  const { key, facts, algorithm, cost } = charge
  const { override } = facts
  return charge.rules.flatMap((rule: CompiledRule, index) => {
    const answer = answers[index]
    if (!answer) return []
    const { policy, parts, limit, windowMs, blockMs } = rule
    const { remaining, resetMs, waitMs } = answer
    return [
      {
        ...{ ruleSet: facts.name, policy, unit: facts.unit, mode: facts.mode, key, algorithm, cost },
        ...{ parts: JSON.parse(JSON.stringify(parts)), limit, windowMs, remaining, resetMs, waitMs },
        used: Math.max(0, limit - remaining),
        blockedMs: facts.blockedUntil !== undefined || (blockMs > 0 && canBlock(charge)) ? waitMs : 0,
        override: override && shownTarget(override),
        ...(charge.known?.argument && { argument: charge.known.argument }),
      },
    ]
  })
}
