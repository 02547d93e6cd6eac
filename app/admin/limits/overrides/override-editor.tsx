'use client'

import { useState } from 'react'
import { useTranslations } from 'use-intl/react'
import { GuardedDialog } from '../../guarded-dialog.tsx'
import type { RuleSetItem } from '../types.ts'
import type { ChosenTarget } from './chosen-target.ts'
import { OverrideForm } from './override-form.tsx'

interface Props {
  /** The current rule set: others may change it while the form is open. */
  set: RuleSetItem
  initialTarget: ChosenTarget
  onClose: () => void
}

/** A dialog to edit an override. */
export function OverrideEditor({ set, initialTarget, onClose }: Props) {
  const t = useTranslations('adminOverrides')
  const [isChanged, setChanged] = useState(false)
  return (
    <GuardedDialog title={t('title', { ruleSet: set.name })} isChanged={isChanged} onClose={onClose} isWide>
      {(leave) => (
        <OverrideForm
          set={set}
          initialTarget={initialTarget}
          onChanged={() => setChanged(true)}
          onCancel={leave}
          onSaved={onClose}
        />
      )}
    </GuardedDialog>
  )
}
