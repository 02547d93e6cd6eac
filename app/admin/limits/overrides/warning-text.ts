import type { Outputs } from '#app/connection/trpc.ts'
import type { Translate } from '#app/ui/translate.ts'
import { formatAmount, formatRule } from '#format/rules.ts'

export type OverrideWarning = Outputs['limits']['override']['warnings'][number]

/** A warning about the rules of an override that was saved. */
export function overrideWarningText(t: Translate<'adminOverrides'>, warning: OverrideWarning): string {
  const names = nameRule(warning.rule)
  if (warning.kind === 'idle') return t('warning.idle', { ...names, ...nameOther(warning.other) })
  const { other } = warning
  if (!other) return t('warning.leverUnheld', names)
  return t('warning.lever', { ...names, ...nameOther(other.rule), most: formatAmount(other.most, other.unit) })
}

const nameRule = ({ policy, parts }: OverrideWarning['rule']) => ({ policy, rule: formatRule(parts) })

const nameOther = ({ policy, parts }: OverrideWarning['rule']) => ({ otherPolicy: policy, other: formatRule(parts) })
