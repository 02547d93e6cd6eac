'use client'

import { useState } from 'react'
import { Confirm } from '#app/ui/confirm.tsx'
import { Dialog } from '#app/ui/dialog.tsx'
import { OverrideForm } from './override-form.tsx'
import type { ChosenTarget } from './target-fields.tsx'
import type { RuleSetItem } from './types.ts'

interface Props {
  set: RuleSetItem
  initialTarget: ChosenTarget
  onClose: () => void
}

/** Where an override is written: it is not left with changes unless that is meant. */
export function OverrideEditor({ set, initialTarget, onClose }: Props) {
  const [isChanged, setChanged] = useState(false)
  const [isAsking, setAsking] = useState(false)
  const leave = () => (isChanged ? setAsking(true) : onClose())
  return (
    <>
      <Dialog title={`Override ${set.name}`} isOpen onClose={leave} isWide>
        <OverrideForm
          set={set}
          initialTarget={initialTarget}
          onChanged={() => setChanged(true)}
          onCancel={leave}
          onSaved={onClose}
        />
      </Dialog>
      <Confirm
        isOpen={isAsking}
        title="Leave without saving?"
        action="Leave"
        onClose={() => setAsking(false)}
        onConfirm={onClose}
      >
        What was changed here is lost.
      </Confirm>
    </>
  )
}
