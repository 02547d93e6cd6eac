'use client'

import { useTranslations } from 'use-intl/react'
import { Notice } from '#app/ui/notice.tsx'
import { useFormat } from '#app/ui/use-format.ts'
import { SetLink } from '../set-link.tsx'
import { subjectText } from '../subjects/subject-text.ts'
import type { ExplainedLimits } from '../types.ts'
import { ExplainedRules } from './explained-rule.tsx'

/** Whether a call passes, and each rule that decides it. */
export function Explained({ explained }: { explained: ExplainedLimits }) {
  const t = useTranslations('adminExplain')
  const { answeredBy, rules, unasked } = explained
  return (
    <div className="mt-4 flex flex-col gap-3" aria-live="polite">
      <Verdict explained={explained} />
      {(answeredBy === 'local' || answeredBy === 'policy') && <Notice tone="gate">{t('ownCount')}</Notice>}
      {rules.length > 0 && <ExplainedRules rules={rules} />}
      {unasked.length > 0 && (
        <div className="text-sm text-ink-soft">
          <p>{t('unasked')}</p>
          <ul className="mt-1 list-disc pl-5">
            {unasked.map(({ ruleSet, needs }) => (
              <li key={ruleSet}>
                <SetLink name={ruleSet} /> {t(`needs.${needs}`)}
              </li>
            ))}
          </ul>
        </div>
      )}
    </div>
  )
}

function Verdict({ explained: { subject, isExempt, waitMs, rules } }: { explained: ExplainedLimits }) {
  const t = useTranslations('adminExplain')
  const tLimits = useTranslations('adminLimits')
  const format = useFormat()
  const named = { subject: subjectText(tLimits, subject) }
  if (isExempt) return <p className="font-medium">{t('exempt', named)}</p>
  if (rules.length === 0) return <p className="font-medium">{t('noRules')}</p>
  return waitMs === 0 ? (
    <p className="font-medium text-good">{t('passes', named)}</p>
  ) : (
    <p className="font-medium text-gate">{t('refused', { ...named, wait: format.wait(waitMs) })}</p>
  )
}
