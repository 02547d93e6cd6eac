'use client'

import { useEffect, useRef, useState } from 'react'
import { useTranslations } from 'use-intl/react'
import { Button } from '#app/ui/button.tsx'
import { Notice } from '#app/ui/notice.tsx'
import { useFormat } from '#app/ui/use-format.ts'
import { isSame } from '../changes/slot.ts'
import { placeKey, termsSummary } from '../terms-text.ts'
import type { OverrideItem, Place } from '../types.ts'

interface Props {
  /** The override that someone else has saved; null if it was cleared. */
  current: OverrideItem | null
  /** Whether the user has just tried to save: the notice then takes the focus, which scrolls it into view. */
  isSeen: boolean
  onDiscard: () => void
}

/** Reports that someone else has changed the override being edited, and shows its current terms. */
export function ConflictNotice({ current, isSeen, onDiscard }: Props) {
  const t = useTranslations('adminOverrides')
  const place = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (isSeen) place.current?.focus()
  }, [isSeen])
  return (
    <div ref={place} tabIndex={-1} className="rounded-md">
      <Notice tone="danger">
        <Sentence current={current} />{' '}
        <Button tone="quiet" size="small" onPress={onDiscard}>
          {t('discardMine')}
        </Button>
      </Notice>
    </div>
  )
}

function Sentence({ current }: Pick<Props, 'current'>) {
  const t = useTranslations('adminOverrides')
  const tLimits = useTranslations('adminLimits')
  const format = useFormat()
  if (!current) return t('conflictCleared')
  const user = current.changedBy ?? t('deletedUser')
  if (!current.terms) return t('conflictChanged', { user })
  return t('conflictChangedTo', { user, terms: termsSummary(tLimits, format, current.terms) })
}

/** Whether someone else has changed the override of a place since the user began to edit it, and what it was then. */
export function useConflict(at: Place | null, known: OverrideItem | null, isTyped: boolean) {
  const place = at && placeKey(at)
  const [seen, setSeen] = useState({ place, known })
  const isOther = !isSame(seen.known, known)
  const isHere = seen.place === place
  if (!isHere || (isOther && !isTyped)) setSeen({ place, known })
  return { isConflict: isOther && isHere, begun: isHere ? seen.known : known }
}
