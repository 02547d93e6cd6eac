'use client'

import { Ellipsis } from 'lucide-react'
import { lazy, Suspense } from 'react'
import { useTranslations } from 'use-intl/react'
import { useAccount } from '#app/shell/session.tsx'
import { IconButton } from '#app/ui/icon-button.tsx'
import { useMenuButton } from '#app/ui/use-menu-button.ts'
import { useConsole } from '../console.tsx'
import { toChosenTarget } from '../places.ts'
import type { RuleSetItem } from '../types.ts'
import type { Standing } from './ranking.tsx'
import { countedText } from './subject-text.ts'

const load = () => import('./subject-menu-items.tsx')
const SubjectMenuItems = lazy(load)

interface Props {
  standing: Standing
  onReset: () => void
}

/** What an admin can do with a subject. */
export function SubjectActions({ standing, onReset }: Props) {
  const set = useConsole().list.ruleSets.find(({ name }) => name === standing.ruleSet)
  return set && <Actions standing={standing} set={set} onReset={onReset} />
}

function Actions({ standing, set, onReset }: Props & { set: RuleSetItem }) {
  const { subject, argument, key } = standing
  const t = useTranslations('adminLimits')
  const { button, isOpen, popover } = useMenuButton(load)
  const { mayChange, open } = useConsole()
  const explain = useExplain(standing)
  const isOfSubject = set.targets.includes('subject')
  // A process of an earlier version does not say which argument it has counted.
  const mayReset = mayChange && (key !== null || subject.kind !== 'digest' || isOfSubject)
  const target = { kind: 'subject', subject: subject.key } as const
  const override = () => open({ kind: 'override', set, target: toChosenTarget({ target, subjectName: subject.name }) })
  const block = () => open({ kind: 'block', ruleSet: set.name, subject })
  const { value } = argument ?? { value: null }
  const blockValue = () => value !== null && open({ kind: 'block', ruleSet: set.name, value })
  if (!mayReset && !explain) return null
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
            onReset={mayReset ? onReset : null}
            onBlock={mayChange && isOfSubject ? block : null}
            onBlockValue={mayChange && value !== null ? blockValue : null}
            onOverride={mayChange && isOfSubject ? override : null}
            onExplain={explain}
          />
        </Suspense>
      )}
    </>
  )
}

/** Explains a call of the first procedure that declares the set; null where it cannot be. */
function useExplain({ subject, argument, ruleSet }: Standing): (() => void) | null {
  const { list, question } = useConsole()
  const { shared } = useAccount()
  // An argument's digest is no caller.
  if (shared || subject.kind === 'digest' || subject.kind === 'site') return null
  return () => {
    const procedure = list.procedures.find(({ ruleSets }) => ruleSets.includes(ruleSet))?.path
    if (procedure !== undefined) question.ask({ procedure, subject: subject.key, argument: argument?.value ?? '' })
    document.getElementById('explain')?.scrollIntoView()
  }
}
