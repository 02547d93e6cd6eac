'use client'

import { type ReactNode, useEffect, useState } from 'react'
import { Tooltip, TooltipTrigger } from 'react-aria-components'
import { flushSync } from 'react-dom'

/** For a button with a tooltip: the tooltip is already its name and must not be announced again as a description. */
export const namedByTip = { 'aria-describedby': '' } as const

/** Milliseconds before the tooltip opens and closes. The second leaves time to reach the tooltip with the pointer. */
const DELAY_MS = 500
const CLOSE_MS = 150

const narrow = { sm: 'sm:hidden', md: 'md:hidden' } as const

interface Props {
  text: string
  /** From this width on the button shows its text and needs no tooltip. */
  until?: keyof typeof narrow
  children: ReactNode
}

/** A tooltip that names an icon button on hover and keyboard focus. It never shows on touch. */
export function Tip({ text, until, children }: Props) {
  const [isOpen, setOpen] = useState(false)
  useEffect(() => {
    if (!isOpen) return
    // Runs before React Aria's handler, which would consume the Escape that is meant for something else.
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
