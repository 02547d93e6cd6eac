'use client'

import { X } from 'lucide-react'
import type { ReactNode } from 'react'
import { Toolbar } from 'react-aria-components'
import { Button } from '#app/ui/button.tsx'
import type { Selection } from './use-selection.ts'

/** What can be done with the selected images; takes the toolbar's place while there are any. */
export function SelectionBar({ selection, children }: { selection: Selection; children: ReactNode }) {
  const amount = selection.selected.length
  return (
    <Toolbar aria-label="Selected images" className="flex min-w-0 flex-1 flex-wrap items-center gap-1.5">
      <Button tone="quiet" size="icon-small" aria-label="Clear the selection" onPress={selection.clear}>
        <X size={18} />
      </Button>
      <p role="status" className="figures mr-auto font-semibold">
        {amount === 0 ? 'Select images' : `${amount} selected`}
      </p>
      <Button tone="quiet" size="small" onPress={selection.selectAll} className="max-sm:hidden">
        Select all
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
