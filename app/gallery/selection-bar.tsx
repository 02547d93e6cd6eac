'use client'

import { X } from 'lucide-react'
import type { ReactNode } from 'react'
import { Toolbar } from 'react-aria-components'
import { Button } from '#app/ui/button.tsx'
import { formatCount } from '#app/ui/format.ts'
import type { Selection } from './use-selection.ts'

/** A button of the bar that is its sign alone where there is little room. */
export const iconOnPhones = 'max-sm:px-2'

/** What can be done with the selected images; takes the toolbar's place while there are any. */
export function SelectionBar({ selection, children }: { selection: Selection; children: ReactNode }) {
  const { isGathering } = selection
  const amount = selection.selected.length
  return (
    <Toolbar aria-label="Selected images" className="flex min-w-0 flex-1 flex-wrap items-center gap-1.5 max-sm:gap-1">
      <Button tone="quiet" size="icon-small" aria-label="Clear the selection" onPress={selection.clear}>
        <X size={18} />
      </Button>
      <p role="status" className="figures mr-auto font-semibold whitespace-nowrap">
        {amount === 0 ? (
          'Select images'
        ) : (
          <>
            {isGathering && <span className="sr-only">Looking for more. </span>}
            {formatCount(amount)}
            {isGathering && ' …'} <span className="max-sm:sr-only">selected</span>
          </>
        )}
      </p>
      <Button
        tone="quiet"
        size="small"
        className="max-sm:px-2"
        onPress={isGathering ? selection.stop : selection.selectAll}
      >
        {isGathering ? 'Stop' : 'Select all'}
      </Button>
      {children}
    </Toolbar>
  )
}

/** The line above a list: its name or the selection, sticking below the header. */
export function ListBar({ children }: { children: ReactNode }) {
  return (
    <div className="sticky top-14 z-10 -mx-4 mb-3 flex min-h-14 items-center gap-3 bg-ground/92 px-4 py-2 backdrop-blur-md sm:-mx-6 sm:px-6">
      {children}
    </div>
  )
}
