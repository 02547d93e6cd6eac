'use client'

import { Ellipsis } from 'lucide-react'
import { lazy, Suspense } from 'react'
import { useTranslations } from 'use-intl/react'
import { IconButton } from '#app/ui/icon-button.tsx'
import { useMenuButton } from '#app/ui/use-menu-button.ts'
import { type ChosenTarget, toChosenTarget } from '../places.ts'
import type { RuleSetItem } from '../types.ts'
import type { Standing } from './ranking.tsx'
import { countedText } from './subject-text.ts'

const load = () => import('./subject-menu-items.tsx')
const SubjectMenuItems = lazy(load)

interface Props {
  standing: Standing
  set: RuleSetItem | undefined
  /** Null for viewers who may not change limits. */
  onEdit: ((set: RuleSetItem, target: ChosenTarget) => void) | null
  onReset: (() => void) | null
  onBlock: (() => void) | null
  onExplain: ((ruleSet: string, subject: string, argument: string | null) => void) | null
}

/** What an admin can do with a subject. */
export function SubjectActions({ standing, set, onEdit, onReset, onBlock, onExplain }: Props) {
  const { subject, argument, key } = standing
  const t = useTranslations('adminLimits')
  const { button, isOpen, popover } = useMenuButton(load)
  if (!set) return null
  // A process of an earlier version does not say which argument it has counted.
  const reset = key !== null || subject.kind !== 'digest' || set.targets.includes('subject') ? onReset : null
  const isOfSubject = set.targets.includes('subject')
  const edit = isOfSubject ? onEdit : null
  // An argument's digest is no caller.
  const explain = subject.kind === 'digest' || subject.kind === 'site' ? null : onExplain
  if (!reset && !edit && !explain) return null
  const label = t('subjectActions', { subject: countedText(t, subject, argument), ruleSet: set.name })
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
            onBlock={isOfSubject ? onBlock : null}
            onOverride={
              edit && (() => edit(set, toChosenTarget({ kind: 'subject', subject: subject.key }, subject.name)))
            }
            onExplain={explain && (() => explain(set.name, subject.key, argument?.value ?? null))}
          />
        </Suspense>
      )}
    </>
  )
}
