'use client'

import { ChevronRight } from 'lucide-react'
import { useState } from 'react'
import { useTranslations } from 'use-intl/react'
import { late } from '#app/ui/late.tsx'

const Reads = late(() => import('./reads.tsx'))

/** Whether the last image's reads were shown: the next image's are then, too. */
let wasOpen = false

/** How often the image was read, loaded once it is opened. */
export function ReadsPart({ id }: { id: string }) {
  const t = useTranslations('image')
  const [isOpen, setOpen] = useState(() => wasOpen)
  return (
    <details
      open={isOpen}
      onToggle={({ currentTarget }) => {
        wasOpen = currentTarget.open
        setOpen(wasOpen)
      }}
      className="group flex flex-col"
    >
      <summary className="flex cursor-pointer list-none items-center gap-1 rounded-sm text-sm font-semibold [&::-webkit-details-marker]:hidden">
        {t('reads')}
        <ChevronRight
          size={16}
          aria-hidden="true"
          className="text-ink-soft transition-transform group-open:rotate-90"
        />
      </summary>
      {isOpen && (
        <div className="pt-2.5">
          <Reads id={id} />
        </div>
      )}
    </details>
  )
}
