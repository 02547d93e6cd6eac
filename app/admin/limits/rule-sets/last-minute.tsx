import { useTranslations } from 'use-intl/react'
import { useFormat } from '#app/ui/use-format.ts'
import type { Formats } from '#format/formats.ts'
import { figureTexts, NO_FIGURES, type SetFigures } from '../live/figures.ts'
import { overrideForAll } from '../places.ts'
import type { RuleSetItem } from '../types.ts'

/** The figures of the last minute for each rule that is in effect for anyone, or was. */
export function LastMinute({ set, figures }: { set: RuleSetItem; figures: SetFigures }) {
  const t = useTranslations('adminLimits')
  const format = useFormat()
  return (
    <ul className="figures flex flex-col gap-1 text-sm">
      {listPolicies(set, format, figures).map(({ policy, text }) => (
        <li key={policy} className="grid gap-x-4 sm:grid-cols-[11rem_minmax(0,1fr)_max-content]">
          <span className="font-medium break-all">{policy}</span>
          <span>{text || t('ruleEnded')}</span>
          <span className="text-ink-soft">
            {figureTexts(t, figures.byPolicy.get(policy) ?? NO_FIGURES).join(' · ')}
          </span>
        </li>
      ))}
    </ul>
  )
}

/** Every rule in effect for any subject, now or in the last minute. Rules of the same policy share its figures. */
function listPolicies(set: RuleSetItem, format: Formats, { byPolicy }: SetFigures) {
  const general = overrideForAll(set)?.rules ?? set.rules
  const rules = [...general, ...set.overrides.flatMap((override) => override.rules ?? [])]
  const policies = new Set([...rules.map(({ policy }) => policy), ...byPolicy.keys()])
  return [...policies].map((policy) => ({ policy, text: policyText(policy, rules, format) }))
}

/** Empty if no rule of the policy is in effect. */
function policyText(policy: string, rules: RuleSetItem['rules'], format: Formats): string {
  return format.clauses([
    ...new Set(rules.filter((rule) => rule.policy === policy).map(({ parts }) => format.rule(parts))),
  ])
}
