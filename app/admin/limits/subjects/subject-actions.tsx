'use client'

import { Ellipsis } from 'lucide-react'
import { useTranslations } from 'use-intl/react'
import { useAccount } from '#app/shell/session.tsx'
import { IconButton } from '#app/ui/icon-button.tsx'
import { late } from '#app/ui/late.tsx'
import { useMenuButton } from '#app/ui/use-menu-button.ts'
import { countedProcedure } from '#format/rule-set-name.ts'
import { useConsole } from '../console.tsx'
import { toChosenTarget } from '../places.ts'
import type { RuleSetItem, Standing } from '../types.ts'
import type { Acts } from './subject-menu-items.tsx'
import { countedText } from './subject-text.ts'

const SubjectMenuItems = late(() => import('./subject-menu-items.tsx'))

/** What an admin can do with a subject. */
export function SubjectActions({ standing, set }: { standing: Standing; set: RuleSetItem }) {
  const t = useTranslations('adminLimits')
  const { button, isOpen, popover } = useMenuButton(SubjectMenuItems.load)
  const acts = { ...useChanges(standing, set), explain: useExplain(standing, set) }
  if (!Object.values(acts).some(Boolean)) return null
  const counted = countedText(t, standing.subject, standing.argument)
  const label = t('subjectActions', { subject: counted, ruleSet: set.name })
  return (
    <>
      <IconButton {...button} label={label}>
        <Ellipsis size={18} />
      </IconButton>
      {isOpen && <SubjectMenuItems popover={popover} label={label} acts={acts} />}
    </>
  )
}

/** What a superadmin can change for the subject. */
function useChanges({ subject, argument, key, ruleSet }: Standing, set: RuleSetItem): Acts {
  const t = useTranslations('adminLimits')
  const { mayChange, open } = useConsole()
  if (!mayChange) return {}
  const isOfSubject = set.targets.includes('subject')
  const value = argument?.value ?? null
  const place = {
    target: { kind: 'subject', subject: subject.key },
    ...{ procedure: countedProcedure(ruleSet), subjectName: subject.name },
  } as const
  // Everything that a subject has used of the set; of an argument, or of what callers share, that alone.
  const input = key !== null && (argument || !isOfSubject) ? { key } : { ruleSet: set.name, subject: subject.key }
  const reset = () => open({ kind: 'reset', input, subject: countedText(t, subject, argument), ruleSet: set.name })
  return {
    // A process of an earlier version does not say what it has counted.
    ...((key !== null || isOfSubject) && { reset }),
    ...(isOfSubject && {
      override: () => open({ kind: 'override', set, target: toChosenTarget(place) }),
      block: () => open({ kind: 'block', ruleSet: set.name, subject }),
    }),
    ...(value !== null && { blockValue: () => open({ kind: 'block', ruleSet: set.name, value }) }),
  }
}

/** Explains a call of the procedure that was counted, or of the first that uses the set; undefined where it cannot be. */
function useExplain({ subject, argument, ruleSet }: Standing, set: RuleSetItem): (() => void) | undefined {
  const { question } = useConsole()
  const { shared } = useAccount()
  const procedure = countedProcedure(ruleSet) ?? set.usedBy[0]
  // An argument's digest is no caller, nor is what callers share.
  if (shared || procedure === undefined || subject.kind === 'digest' || !set.targets.includes('subject'))
    return undefined
  return () => question.ask({ procedure, subject: subject.key, argument: argument?.value ?? '' })
}
