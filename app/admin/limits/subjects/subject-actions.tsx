'use client'

import { useMutation } from '@tanstack/react-query'
import { Ellipsis, Eraser, Pencil } from 'lucide-react'
import { MenuTrigger } from 'react-aria-components'
import { useTRPC } from '#app/connection/trpc.ts'
import { reportFailure } from '#app/limits/report-failure.tsx'
import { IconButton } from '#app/ui/icon-button.tsx'
import { Menu, MenuItem } from '#app/ui/menu.tsx'
import { toast } from '#app/ui/toast-queue.ts'
import { type ChosenTarget, chosenOf } from '../overrides/target-fields.tsx'
import type { RuleSetItem } from '../types.ts'
import type { Standing } from './ranking.tsx'
import { isForgettable, subjectWords } from './subject-words.ts'

interface Props {
  standing: Standing
  set: RuleSetItem | undefined
  onEdit: (set: RuleSetItem, target: ChosenTarget) => void
  onForget: () => void
}

/** What a superadmin can do about a subject. */
export function SubjectActions({ standing: { subject }, set, onEdit, onForget }: Props) {
  if (!set) return null
  const mayForget = isForgettable(subject, set)
  const mayOverride = set.targets.includes('subject')
  if (!mayForget && !mayOverride) return null
  const label = `Actions for ${subjectWords(subject)} in ${set.name}`
  return (
    <MenuTrigger>
      <IconButton label={label}>
        <Ellipsis size={18} />
      </IconButton>
      <Menu aria-label={label}>
        {mayForget && <MenuItem icon={Eraser} label="Forget usage" onAction={onForget} />}
        {mayOverride && (
          <MenuItem
            icon={Pencil}
            label="Override for this subject"
            onAction={() => onEdit(set, chosenOf({ kind: 'subject', subject: subject.key }, subject.name))}
          />
        )}
      </Menu>
    </MenuTrigger>
  )
}

/** Forgets what a subject has used, and says so. */
export function useForgetting(): (standing: Standing) => void {
  const trpc = useTRPC()
  const { mutate } = useMutation(trpc.limits.reset.mutationOptions())
  const forget = (standing: Standing): void => {
    const { subject, ruleSet } = standing
    mutate(
      { ruleSet, subject: subject.key },
      {
        onSuccess: () => toast({ title: `What ${subjectWords(subject)} has used of ${ruleSet} is forgotten.` }),
        onError: (error) => reportFailure('The usage was not forgotten.', error, () => forget(standing)),
      },
    )
  }
  return forget
}
