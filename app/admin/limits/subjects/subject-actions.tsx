'use client'

import { useMutation } from '@tanstack/react-query'
import { Ellipsis } from 'lucide-react'
import { lazy, Suspense } from 'react'
import { useTranslations } from 'use-intl/react'
import { useTRPC } from '#app/connection/trpc.ts'
import { reportFailure } from '#app/limits/report-failure.tsx'
import { IconButton } from '#app/ui/icon-button.tsx'
import { toast } from '#app/ui/toast-queue.ts'
import { useMenuButton } from '#app/ui/use-menu-button.ts'
import { type ChosenTarget, toChosenTarget } from '../overrides/chosen-target.ts'
import type { RuleSetItem } from '../types.ts'
import type { Standing } from './ranking.tsx'
import { isResettable, subjectText } from './subject-text.ts'

const load = () => import('./subject-menu-items.tsx')
const SubjectMenuItems = lazy(load)

interface Props {
  standing: Standing
  set: RuleSetItem | undefined
  /** Null for viewers who may not change limits. */
  onEdit: ((set: RuleSetItem, target: ChosenTarget) => void) | null
  onReset: (() => void) | null
  onExplain: ((ruleSet: string, subject: string) => void) | null
}

/** What an admin can do with a subject. */
export function SubjectActions({ standing: { subject }, set, onEdit, onReset, onExplain }: Props) {
  const t = useTranslations('adminLimits')
  const { button, isOpen, popover } = useMenuButton(load)
  if (!set) return null
  const reset = isResettable(subject, set) ? onReset : null
  const edit = set.targets.includes('subject') ? onEdit : null
  // An argument's digest is no caller.
  const explain = subject.kind === 'digest' || subject.kind === 'site' ? null : onExplain
  if (!reset && !edit && !explain) return null
  const label = t('subjectActions', { subject: subjectText(t, subject), ruleSet: set.name })
  return (
    <>
      <IconButton {...button} label={label}>
        <Ellipsis size={18} />
      </IconButton>
      {isOpen && (
        <Suspense fallback={null}>
          <SubjectMenuItems
            popover={popover}
            label={label}
            onReset={reset}
            onOverride={
              edit && (() => edit(set, toChosenTarget({ kind: 'subject', subject: subject.key }, subject.name)))
            }
            onExplain={explain && (() => explain(set.name, subject.key))}
          />
        </Suspense>
      )}
    </>
  )
}

/** Returns a function that resets the usage of a subject. */
export function useReset(): (standing: Standing) => void {
  const t = useTranslations('adminLimits')
  const trpc = useTRPC()
  const { mutate } = useMutation(trpc.limits.reset.mutationOptions())
  const reset = (standing: Standing): void => {
    const { subject, ruleSet } = standing
    mutate(
      { ruleSet, subject: subject.key },
      {
        onSuccess: () => toast({ title: t('resetDone', { subject: subjectText(t, subject), ruleSet }) }),
        onError: (error) => reportFailure(t('resetFailed'), error, () => reset(standing)),
      },
    )
  }
  return reset
}
