'use client'

import { ChevronRight } from 'lucide-react'
import { useState } from 'react'
import { useTranslations } from 'use-intl/react'
import { type AuditItem, readNote } from '#app/audit/acts.ts'
import { ActSentence } from '#app/audit/sentence.tsx'
import { PlainButton } from '#app/ui/button.tsx'
import { LocalDate } from '#app/ui/moment.tsx'
import { useDisclosure } from '#app/ui/use-disclosure.ts'
import { EntryDetails } from './entry-details.tsx'
import type { ShownFilter } from './shown-filter.ts'

/** An act as a sentence, with its details on demand. */
export function EntryRow({ item, onFilter }: { item: AuditItem; onFilter: (by: ShownFilter) => void }) {
  const t = useTranslations('audit')
  const note = readNote(item)
  const [isOpen, setOpen] = useState(false)
  const { trigger, panel } = useDisclosure(isOpen, setOpen)
  return (
    <li>
      <PlainButton
        {...trigger}
        className="flex w-full items-start gap-2 px-3 py-2.5 text-left text-sm hover:bg-hover focus-visible:-outline-offset-2"
      >
        <ChevronRight
          size={17}
          aria-hidden="true"
          className={`mt-0.5 shrink-0 text-ink-soft transition-transform ${isOpen ? 'rotate-90' : ''}`}
        />
        <span className="grid min-w-0 flex-1 gap-x-4 md:grid-cols-[minmax(0,1fr)_max-content]">
          <span className="min-w-0 break-words">
            <ActSentence item={item} />
            {note && <span className="text-ink-soft"> {t('because', { note: note.slice(0, 200) })}</span>}
          </span>
          <span className="figures text-ink-soft">
            <LocalDate iso={item.at} time />
          </span>
          {item.times > 1 && (
            <span className="figures text-ink-soft">
              {t.rich('times', { count: item.times, time: () => <LocalDate iso={item.until ?? item.at} time /> })}
            </span>
          )}
        </span>
      </PlainButton>
      <div {...panel}>
        <EntryDetails item={item} onFilter={onFilter} />
      </div>
    </li>
  )
}
