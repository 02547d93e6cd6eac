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
}

/** A button of the bar. On narrow windows it shows its icon only. */
export function BarButton({ icon: Icon, word, tone = 'quiet', ...props }: BarButtonProps) {
  return (
    <Tip text={word} until="md">
      <Button {...props} tone={tone} size="small" className="max-sm:px-2">
        <Icon size={16} /> <span className="max-md:sr-only">{word}</span>
      </Button>
    </Tip>
  )
}

/** The actions for the selected images, shown instead of the list's title. Escape clears the selection. */
export function SelectionBar({ selection, children }: { selection: Selection; children: ReactNode }) {
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
      className="flex min-w-0 flex-1 flex-wrap items-center gap-1.5 max-sm:gap-1"
    >
      <IconButton label={t('clearSelection')} onPress={selection.clear}>
        <X size={18} />
      </IconButton>
      <p role="status" className="figures mr-auto font-semibold whitespace-nowrap">
        {amount === 0
          ? t('selectImages')
          : t.rich(isGathering ? 'selecting' : 'selected', {
              count: amount,
              hidden: (text) => <span className="sr-only">{text}</span>,
              label: (text) => <span className="max-sm:sr-only">{text}</span>,
            })}
      </p>
      <Button
        tone="quiet"
        size="small"
        className="max-sm:px-2"
        onPress={isGathering ? selection.stop : selection.selectAll}
      >
        {isGathering ? t('stop') : t('selectAll')}
      </Button>
      {children}
    </div>
  )
}

/** The arrow keys move among the buttons. */
function moveFocus({ key, currentTarget }: ReactKeyboardEvent<HTMLElement>): void {
  const step = { ArrowLeft: -1, ArrowRight: 1 }[key]
  if (!step) return
  const buttons = [...currentTarget.querySelectorAll<HTMLElement>('button:enabled')]
  const at = buttons.findIndex((button) => button === document.activeElement)
  buttons[at + step]?.focus()
}

/** The line above a list with its title or the selection, fixed below the header. The focus stays in it when one replaces the other. */
export function ListBar({ isSelecting, children }: { isSelecting: boolean; children: ReactNode }) {
  const bar = useRef<HTMLDivElement>(null)
  const before = useRef(isSelecting)
  const hadFocus = useRef(false)
  useEffect(() => {
    const note = ({ target }: FocusEvent) => {
      hadFocus.current = target instanceof Node && bar.current?.contains(target) === true
    }
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
      className="sticky top-14 z-10 -mx-4 mb-3 flex min-h-14 items-center gap-3 bg-ground/92 px-4 py-2 backdrop-blur-md sm:-mx-6 sm:px-6"
    >
      {children}
    </div>
  )
}
