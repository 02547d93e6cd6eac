'use client'

import { useMutation } from '@tanstack/react-query'
import { Ellipsis, Eraser, Pencil } from 'lucide-react'
import { MenuTrigger } from 'react-aria-components'
import { useTranslations } from 'use-intl/react'
import { useTRPC } from '#app/connection/trpc.ts'
import { reportFailure } from '#app/limits/report-failure.tsx'
import { AriaIconButton } from '#app/ui/aria-icon-button.tsx'
import { Menu, MenuItem } from '#app/ui/menu.tsx'
import { toast } from '#app/ui/toast-queue.ts'
import { type ChosenTarget, toChosenTarget } from '../overrides/target-fields.tsx'
import type { RuleSetItem } from '../types.ts'
import type { Standing } from './ranking.tsx'
import { isResettable, subjectText } from './subject-text.ts'

interface Props {
  standing: Standing
  set: RuleSetItem | undefined
  onEdit: (set: RuleSetItem, target: ChosenTarget) => void
  onReset: () => void
}

/** What a superadmin can do with a subject. */
export function SubjectActions({ standing: { subject }, set, onEdit, onReset }: Props) {
  const t = useTranslations('adminLimits')
  if (!set) return null
  const mayReset = isResettable(subject, set)
  const mayOverride = set.targets.includes('subject')
  if (!mayReset && !mayOverride) return null
  const label = t('subjectActions', { subject: subjectText(t, subject), ruleSet: set.name })
  return (
    <MenuTrigger>
      <AriaIconButton label={label}>
        <Ellipsis size={18} />
      </AriaIconButton>
      <Menu aria-label={label}>
        {mayReset && <MenuItem icon={Eraser} label={t('resetUsage')} onAction={onReset} />}
        {mayOverride && (
          <MenuItem
            icon={Pencil}
            label={t('overrideSubject')}
            onAction={() => onEdit(set, toChosenTarget({ kind: 'subject', subject: subject.key }, subject.name))}
          />
        )}
      </Menu>
    </MenuTrigger>
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
