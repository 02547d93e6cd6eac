'use client'

import { useEffect, useRef, useState } from 'react'
import { Button } from '#app/ui/button.tsx'
import { Notice } from '#app/ui/notice.tsx'
import type { OverrideItem, OverrideTarget } from '../types.ts'
import { targetKey, termsWords } from '../words.ts'
import { isSame } from './use-override-actions.ts'

interface Props {
  /** What stands there now; null where it was cleared. */
  by: OverrideItem | null
  /** Whether somebody has just tried to save: it then has the focus, which brings it into view. */
  isTold: boolean
  onTake: () => void
}

/** Says that another has changed what is being written, and how it is now. */
export function OvertakenNotice({ by, isTold, onTake }: Props) {
  const place = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (isTold) place.current?.focus()
  }, [isTold])
  return (
    <div ref={place} tabIndex={-1} className="rounded-md">
      <Notice tone="danger">
        {by
          ? `${by.changedBy ?? 'Somebody'} has changed this override meanwhile`
          : 'This override was cleared meanwhile'}
        {by?.terms && `: ${termsWords(by.terms)}`}.{' '}
        <Button tone="quiet" size="small" onPress={onTake}>
          Drop mine
        </Button>
      </Notice>
    </div>
  )
}

/** Whether another has changed the override at a target since one began to write there, and what it was then. */
export function useOvertaken(target: OverrideTarget | null, known: OverrideItem | null, isTyped: boolean) {
  const place = target && targetKey(target)
  const [seen, setSeen] = useState({ place, known })
  const isOther = !isSame(seen.known, known)
  const isHere = seen.place === place
  if (!isHere || (isOther && !isTyped)) setSeen({ place, known })
  return { isOvertaken: isOther && isHere, begun: isHere ? seen.known : known }
}
