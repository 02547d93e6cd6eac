'use client'

import { type LucideIcon, X } from 'lucide-react'
import { type KeyboardEvent as ReactKeyboardEvent, type ReactNode, useEffect, useEffectEvent, useRef } from 'react'
import { useTranslations } from 'use-intl/react'
import { isTaken } from '#app/shell/key-command.ts'
import { Button, type PlainButtonProps } from '#app/ui/button.tsx'
import type { Tone } from '#app/ui/button-class.ts'
import { IconButton } from '#app/ui/icon-button.tsx'
import { Tip } from '#app/ui/tip.tsx'
import type { Selection } from './use-selection.ts'

interface BarButtonProps extends Omit<PlainButtonProps, 'children' | 'className'> {
  icon: LucideIcon
  word: string
  tone?: Tone
  /** From this width on it shows its word: `wide` where it is one of many. */
  until?: keyof typeof words
}

const words = { md: 'max-md:sr-only', wide: 'max-[87rem]:sr-only' } as const

/** A button of the bar. On narrow windows it shows its icon only. */
export function BarButton({ icon: Icon, word, tone = 'quiet', until = 'md', ...props }: BarButtonProps) {
  return (
    <Tip text={word} until={until}>
      <Button
        {...props}
        tone={tone}
        size="small"
        className={`max-sm:px-2 max-sm:in-data-bar-actions:h-11 max-sm:in-data-bar-actions:w-[min(2.75rem,11vw)] ${until === 'wide' ? 'max-[87rem]:px-2.5' : ''}`}
      >
        <Icon size={16} className="max-sm:in-data-bar-actions:size-5" /> <span className={words[until]}>{word}</span>
      </Button>
    </Tip>
  )
}

type Shown = Pick<Selection, 'selected' | 'isGathering' | 'clear' | 'stop' | 'selectAll'>

/** The actions for the selected images, shown instead of the list's title; on phones those of `children` take the place of the tabs.
 *  Escape clears the selection. */
export function SelectionBar({ selection, children }: { selection: Shown; children: ReactNode }) {
  const t = useTranslations('gallery')
  const { isGathering } = selection
  const amount = selection.selected.length
  const press = useEffectEvent(({ key, defaultPrevented, target }: KeyboardEvent) => {
    if (key === 'Escape' && !defaultPrevented && !isTaken(target)) selection.clear()
  })
  useEffect(() => {
    const listen = (event: KeyboardEvent) => press(event)
    window.addEventListener('keydown', listen)
    return () => window.removeEventListener('keydown', listen)
  }, [])
  return (
    <div
      role="toolbar"
      aria-label={t('selection')}
      onKeyDown={moveFocus}
      className="flex min-w-0 flex-1 items-center gap-1.5 max-sm:gap-1"
    >
      <IconButton label={t('clearSelection')} onPress={selection.clear}>
        <X size={18} />
      </IconButton>
      <p role="status" className="figures font-semibold whitespace-nowrap">
        {amount === 0
          ? t('selectImages')
          : isGathering
            ? t.rich('selecting', { count: amount, hidden: (text) => <span className="sr-only">{text}</span> })
            : t('selected', { count: amount })}
      </p>
      {/* Left of the gap, so that it does not move under the pointer when the actions have loaded. */}
      <Button
        tone="quiet"
        size="small"
        className="mr-auto max-sm:px-2"
        onPress={isGathering ? selection.stop : selection.selectAll}
      >
        {isGathering ? t('stop') : t('selectAll')}
      </Button>
      <div
        data-bar-actions=""
        className="contents border-line bg-ground/95 backdrop-blur-md max-sm:fixed max-sm:inset-x-0 max-sm:bottom-0 max-sm:flex max-sm:h-16 max-sm:items-center max-sm:justify-evenly max-sm:border-t max-sm:pb-[env(safe-area-inset-bottom)]"
      >
        {children}
      </div>
    </div>
  )
}

/** The arrow keys move among the buttons. */
function moveFocus({ key, currentTarget }: ReactKeyboardEvent<HTMLElement>): void {
  const step = { ArrowLeft: -1, ArrowRight: 1 }[key]
  if (!step) return
  const buttons = [...currentTarget.querySelectorAll<HTMLElement>('button:enabled')]
  const at = buttons.findIndex((button) => button.matches(':focus'))
  buttons[at + step]?.focus()
}

/** The line above a list with its title or the selection, fixed below the header. The focus stays in it when one replaces the other.
 *  With a selection it is one row high, whatever is in it and however late: the list below stays in place. */
export function ListBar({ isSelecting, children }: { isSelecting: boolean; children: ReactNode }) {
  const bar = useRef<HTMLDivElement>(null)
  const before = useRef(isSelecting)
  const hadFocus = useRef(false)
  useEffect(() => {
    const note = ({ target }: FocusEvent) => {
      hadFocus.current = target instanceof Node && bar.current?.contains(target) === true
    }
    // The bar is in the page before this listens.
    hadFocus.current = bar.current?.contains(document.activeElement) === true
    document.addEventListener('focusin', note)
    return () => document.removeEventListener('focusin', note)
  }, [])
  useEffect(() => {
    if (before.current === isSelecting) return
    before.current = isSelecting
    // The pressed button is gone, so the page has the focus. If a tile had it, the next tile gets it.
    if (hadFocus.current && document.activeElement === document.body) bar.current?.querySelector('button')?.focus()
  }, [isSelecting])
  return (
    <div
      ref={bar}
      // Blurred by an element of its own: within one that blurs, nothing could be fixed to the window.
      className={`sticky top-14 z-10 -mx-4 mb-3 flex items-center gap-x-3 px-4 before:absolute before:inset-0 before:-z-1 before:bg-ground/92 before:backdrop-blur-md sm:-mx-6 sm:px-6 ${isSelecting ? 'h-14' : 'min-h-14 flex-wrap gap-y-2 py-2'}`}
    >
      {children}
    </div>
  )
}
