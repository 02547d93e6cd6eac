'use client'

import { useState } from 'react'
import { GuardedDialog } from '../../guarded-dialog.tsx'
import type { RuleSetItem } from '../types.ts'
import { OverrideForm } from './override-form.tsx'
import type { ChosenTarget } from './target-fields.tsx'

interface Props {
  /** As it is now: others may change it while it is written. */
  set: RuleSetItem
  initialTarget: ChosenTarget
  onClose: () => void
}

/** Where an override is written. */
export function OverrideEditor({ set, initialTarget, onClose }: Props) {
  const [isChanged, setChanged] = useState(false)
  return (
    <GuardedDialog title={`Override ${set.name}`} isChanged={isChanged} onClose={onClose} isWide>
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
