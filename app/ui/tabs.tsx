'use client'

import { type KeyboardEvent, type ReactNode, useId, useRef, useState } from 'react'

interface Props {
  label: string
  tabs: readonly { readonly id: string; readonly name: string; readonly panel: ReactNode }[]
}

/** Panels of which one is shown. Arrow keys, Home and End choose it. */
export function Tabs({ label, tabs }: Props) {
  const id = useId()
  const list = useRef<HTMLDivElement>(null)
  const [chosen, setChosen] = useState(0)
  const choose = (event: KeyboardEvent) => {
    const isRightToLeft = document.documentElement.dir === 'rtl'
    const steps: Readonly<Record<string, number>> = {
      ArrowLeft: isRightToLeft ? chosen + 1 : chosen - 1,
      ArrowRight: isRightToLeft ? chosen - 1 : chosen + 1,
      Home: 0,
      End: tabs.length - 1,
    }
    const step = steps[event.key]
    if (step === undefined) return
    event.preventDefault()
    const next = (step + tabs.length) % tabs.length
    setChosen(next)
    list.current?.querySelectorAll<HTMLElement>('[role=tab]')[next]?.focus()
  }
  return (
    <div className="flex flex-col gap-4">
      <div ref={list} role="tablist" aria-label={label} className="flex flex-wrap gap-1.5">
        {tabs.map((tab, at) => (
          <button
            key={tab.id}
            type="button"
            role="tab"
            id={`${id}-${tab.id}`}
            aria-selected={at === chosen}
            aria-controls={`${id}-${tab.id}-panel`}
            tabIndex={at === chosen ? 0 : -1}
            onClick={() => setChosen(at)}
            onKeyDown={choose}
            className="flex h-8 cursor-pointer items-center rounded-md bg-sunken px-3 text-sm font-medium text-ink-soft ring-1 ring-line ring-inset hover:text-ink aria-selected:bg-ink aria-selected:text-ground aria-selected:ring-ink"
          >
            {tab.name}
          </button>
        ))}
      </div>
      {tabs.map((tab, at) => (
        <div
          key={tab.id}
          role="tabpanel"
          id={`${id}-${tab.id}-panel`}
          aria-labelledby={`${id}-${tab.id}`}
          hidden={at !== chosen}
          className="flex flex-col gap-3"
        >
          {at === chosen && tab.panel}
        </div>
      ))}
    </div>
  )
}
