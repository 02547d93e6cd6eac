'use client'

import { ChevronRight } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { Button, Disclosure, DisclosurePanel, Heading } from 'react-aria-components'

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

/** A collapsible section. The browser's page search finds its content while it is collapsed. */
export function Fold({ title, amount, isOpenAtFirst = false, isForcedOpen = false, beside, children }: Props) {
  const [isOpen, setOpen] = useState(isOpenAtFirst)
  const isShown = isOpen || isForcedOpen
  return (
    <Disclosure isExpanded={isShown} onExpandedChange={setOpen} isDisabled={isForcedOpen} className="mt-10">
      <div className="mb-3 flex flex-wrap items-center gap-3">
        <Heading level={2} className="mr-auto text-lg font-semibold">
          <Button slot="trigger" className="-ml-1.5 flex items-center gap-1.5 rounded-md pr-1.5 enabled:hover:bg-hover">
            <ChevronRight
              size={19}
              aria-hidden="true"
              className={`text-ink-soft transition-transform ${isShown ? 'rotate-90' : ''}`}
            />
            {title}
            {amount !== undefined && <span className="figures font-normal text-ink-soft">{amount}</span>}
          </Button>
        </Heading>
        {isShown && beside}
      </div>
      <DisclosurePanel role="region" aria-label={title}>
        {children}
      </DisclosurePanel>
    </Disclosure>
  )
}
