'use client'

import { type FocusEvent, type PointerEvent, type ReactNode, useEffect, useRef, useState } from 'react'
import { flushSync } from 'react-dom'

/** Milliseconds before the tooltip opens and closes. The second leaves time to reach the tooltip with the pointer. */
const DELAY_MS = 500
const CLOSE_MS = 150

/** Pixels between the tooltip and its button, and between it and the edge of the window. */
const GAP = 6
const EDGE = 8

const narrow = { sm: 'sm:hidden', md: 'md:hidden', wide: 'min-[87rem]:hidden' } as const

interface Props {
  text: string
  /** From this width on the button shows its text and needs no tooltip. */
  until?: keyof typeof narrow
  /** A button. */
  children: ReactNode
}

/** A tooltip that names an icon button on hover and keyboard focus. It never shows on touch, and is not announced: the button has
 *  its text as its name. */
export function Tip({ text, until, children }: Props) {
  const [isOpen, setOpen] = useState(false)
  const around = useRef<HTMLSpanElement>(null)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const turn = (isWanted: boolean, afterMs = 0) => {
    clearTimeout(timer.current)
    if (afterMs === 0) setOpen(isWanted)
    else timer.current = setTimeout(() => setOpen(isWanted), afterMs)
  }
  useEffect(() => () => clearTimeout(timer.current), [])
  useEffect(() => {
    if (!isOpen) return
    // Runs before any other handler, which would consume the Escape that is meant for something else.
    const hide = ({ key }: KeyboardEvent) => key === 'Escape' && flushSync(() => setOpen(false))
    window.addEventListener('keydown', hide, { capture: true })
    return () => window.removeEventListener('keydown', hide, { capture: true })
  }, [isOpen])
  const enter = ({ pointerType }: PointerEvent) => pointerType !== 'touch' && turn(true, isOpen ? 0 : DELAY_MS)
  const focus = ({ target }: FocusEvent) => target.matches(':focus-visible') && turn(true)
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: it only watches what happens to the button inside
    <span
      ref={around}
      className="contents"
      onPointerEnter={enter}
      onPointerLeave={() => turn(false, CLOSE_MS)}
      onPointerDown={() => turn(false)}
      onKeyDown={() => turn(false)}
      onFocus={focus}
      onBlur={() => turn(false)}
    >
      {children}
      {isOpen && (
        <span
          ref={(element) => {
            if (element) place(element, around.current?.firstElementChild)
          }}
          role="tooltip"
          popover="manual"
          className={`fixed inset-auto m-0 w-max max-w-72 rounded-md border border-transparent bg-steel px-2 py-1 text-[0.8125rem] leading-snug font-normal wrap-anywhere text-white shadow-raised animate-fade ${until ? narrow[until] : ''}`}
        >
          {text}
        </span>
      )}
    </span>
  )
}

/** Shows the tooltip above its button, or below where there is no room, within the window. */
function place(tip: HTMLElement, button: Element | null | undefined): void {
  if (!button) return
  if (!tip.matches(':popover-open')) tip.showPopover()
  const [box, own] = [button.getBoundingClientRect(), tip.getBoundingClientRect()]
  const above = box.top - GAP - own.height
  const left = box.left + box.width / 2 - own.width / 2
  tip.style.top = `${above >= EDGE ? above : box.bottom + GAP}px`
  tip.style.left = `${Math.max(EDGE, Math.min(left, document.documentElement.clientWidth - own.width - EDGE))}px`
}
