'use client'

import { type ReactNode, useEffect, useState } from 'react'
import { Tooltip, TooltipTrigger } from 'react-aria-components'
import { flushSync } from 'react-dom'

/** For the button in a tip: the tip is its name, which need not be read out again as a description. */
export const namedByTip = { 'aria-describedby': '' } as const

/** Milliseconds of pointing at a button, and behind it: a moment in which to reach the tip itself. */
const DELAY_MS = 500
const CLOSE_MS = 150

const narrow = { sm: 'sm:hidden', md: 'md:hidden' } as const

interface Props {
  text: string
  /** From this width on the button has its word, and needs no tip. */
  until?: keyof typeof narrow
  /** The button. */
  children: ReactNode
}

/** Names a button that is its sign alone, for whoever points at it or comes to it by keyboard; nobody points by touch. */
export function Tip({ text, until, children }: Props) {
  const [isOpen, setOpen] = useState(false)
  useEffect(() => {
    if (!isOpen) return
    // Before React Aria hears of it, which would keep Escape from what it is meant for.
    const hide = ({ key }: KeyboardEvent) => key === 'Escape' && flushSync(() => setOpen(false))
    window.addEventListener('keydown', hide, { capture: true })
    return () => window.removeEventListener('keydown', hide, { capture: true })
  }, [isOpen])
  return (
    <TooltipTrigger isOpen={isOpen} onOpenChange={setOpen} delay={DELAY_MS} closeDelay={CLOSE_MS}>
      {children}
      <Tooltip
        offset={6}
        className={`max-w-72 rounded-md border border-transparent bg-steel px-2 py-1 text-[0.8125rem] leading-snug wrap-anywhere text-white shadow-raised entering:animate-fade ${until ? narrow[until] : ''}`}
      >
        {text}
      </Tooltip>
    </TooltipTrigger>
  )
}
