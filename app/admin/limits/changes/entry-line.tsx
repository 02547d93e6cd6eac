'use client'

import { useMutation } from '@tanstack/react-query'
import { Check, type LucideIcon } from 'lucide-react'
import type { ReactNode } from 'react'
import { useTranslations } from 'use-intl/react'
import { reportFailure } from '#app/limits/report-failure.tsx'
import { useErrorText } from '#app/limits/use-error-text.ts'
import { Button } from '#app/ui/button.tsx'
import { LocalDate } from '#app/ui/moment.tsx'
import { Tag } from '#app/ui/tag.tsx'
import type { AddedSetItem, OverrideItem } from '../types.ts'

interface Props {
  name: string
  entry: Pick<OverrideItem | AddedSetItem, 'problem' | 'note' | 'changedAt' | 'changedBy'>
  /** Null for viewers who may not change limits. */
  actions: ReactNode
  /** What it says. */
  children: ReactNode
}

/** What was set at run time: its terms, who has set it and why, and what can be done about it. */
export function EntryLine({ name, entry: { problem, note, changedAt, changedBy }, actions, children }: Props) {
  const t = useTranslations('adminOverrides')
  const tLimits = useTranslations('adminLimits')
  const sayError = useErrorText()
  return (
    <div className="flex flex-wrap items-start gap-x-4 gap-y-2 rounded-md border border-line bg-surface px-3 py-2.5 text-sm">
      <div className="min-w-48 flex-1">
        <p className="flex flex-wrap items-center gap-2">
          <span className="font-medium break-all">{name}</span>
          {problem && <Tag tone="danger">{tLimits('notInEffect')}</Tag>}
        </p>
        {children}
        {problem && <p className="text-danger">{sayError(problem) ?? problem.code}</p>}
        {note && <p className="break-words">“{note}”</p>}
        <p className="figures text-ink-soft">
          {t.rich('change', {
            username: changedBy ?? t('deletedUser'),
            date: () => <LocalDate iso={changedAt} time />,
          })}
        </p>
      </div>
      {actions && <div className="flex flex-wrap gap-1">{actions}</div>}
    </div>
  )
}

interface ActionProps {
  icon: LucideIcon
  label: string
  /** For screen readers, with what it is about. */
  longLabel?: string
  onPress: () => void
}

export function Action({ icon: Icon, label, longLabel = label, onPress }: ActionProps) {
  return (
    <Button tone="quiet" size="small" aria-label={longLabel} onPress={onPress}>
      <Icon size={15} /> {label}
    </Button>
  )
}

interface ApplyProps {
  label: string
  /** What is said when it fails. */
  failed: string
  change: () => Promise<void>
}

/** Makes it what holds for everyone. */
export function Apply({ label, failed, change }: ApplyProps) {
  const { mutate, isPending } = useMutation({
    mutationFn: change,
    onError: (error) => reportFailure(failed, error, () => mutate()),
  })
  return (
    <Button size="small" isPending={isPending} onPress={() => mutate()}>
      <Check size={15} /> {label}
    </Button>
  )
}
