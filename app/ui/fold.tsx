'use client'

import { ChevronRight } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { PlainButton } from './button.tsx'
import { useDisclosure } from './use-disclosure.ts'

interface Props {
  title: string
  /** The number of items, read out with the title. */
  amount?: number | undefined
  isOpenAtFirst?: boolean
  /** Opens the section regardless of the user's choice, for example while its content is searched. */
  isForcedOpen?: boolean
  /** Shown beside the title. */
  beside?: ReactNode
  children: ReactNode
}

/** A collapsible section. */
export function Fold({ title, amount, isOpenAtFirst = false, isForcedOpen = false, beside, children }: Props) {
  const [isOpen, setOpen] = useState(isOpenAtFirst)
  const isShown = isOpen || isForcedOpen
  const { trigger, panel } = useDisclosure(isShown, setOpen)
  return (
    <div className="mt-10">
      <div className="mb-3 flex flex-wrap items-center gap-3">
        <h2 className="mr-auto text-lg font-semibold">
          <PlainButton
            {...trigger}
            isDisabled={isForcedOpen}
            className="-ml-1.5 flex items-center gap-1.5 rounded-md pr-1.5 enabled:hover:bg-hover"
          >
            <ChevronRight
              size={19}
              aria-hidden="true"
              className={`text-ink-soft transition-transform ${isShown ? 'rotate-90' : ''}`}
            />
            {title}
            {amount !== undefined && <span className="figures font-normal text-ink-soft">{amount}</span>}
          </PlainButton>
        </h2>
        {isShown && beside}
      </div>
      <section {...panel} aria-label={title}>
        {children}
      </section>
    </div>
  )
}
