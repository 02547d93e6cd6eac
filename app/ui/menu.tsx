'use client'

import { Check, type LucideIcon } from 'lucide-react'
import type { ComponentProps } from 'react'
import {
  Menu as AriaMenu,
  MenuItem as AriaMenuItem,
  type MenuItemProps,
  type MenuProps,
  Popover,
  Separator,
} from 'react-aria-components'
import { AriaProvider } from './aria-provider.tsx'
import type { MenuPopover } from './use-menu-button.ts'

interface Props<T> extends MenuProps<T> {
  placement?: ComponentProps<typeof Popover>['placement']
  /** For a menu that is loaded apart from its button. Inside a MenuTrigger it needs none. */
  popover?: MenuPopover
}

export function Menu<T extends object>({ placement = 'bottom end', popover, ...props }: Props<T>) {
  const { 'aria-label': label } = props
  const alone = popover && ({ autoFocus: 'first', onClose: () => popover.onOpenChange(false) } as const)
  return (
    <AriaProvider>
      <Popover
        {...popover}
        // It is a dialog around the menu, which otherwise had no name.
        aria-label={label}
        placement={placement}
        offset={6}
        className="min-w-48 rounded-lg border border-line bg-raised p-1 shadow-raised outline-none entering:animate-enter"
      >
        <AriaMenu {...alone} {...props} className="outline-none" />
      </Popover>
    </AriaProvider>
  )
}

interface ItemProps extends Omit<MenuItemProps, 'children' | 'className'> {
  icon?: LucideIcon
  label: string
  tone?: 'plain' | 'danger'
  shortcut?: string
  /** In a menu of which one item is in force. */
  isChosen?: boolean
}

export function MenuItem({ icon: Icon, label, tone = 'plain', shortcut, isChosen, ...props }: ItemProps) {
  return (
    <AriaMenuItem
      textValue={label}
      {...props}
      className={`flex h-9 cursor-pointer items-center gap-2.5 rounded-md px-2.5 text-sm outline-none focus:bg-hover disabled:opacity-45 ${tone === 'danger' ? 'text-danger' : ''}`}
    >
      {Icon && <Icon size={17} className={tone === 'danger' ? '' : 'text-ink-soft'} />}
      <span className="flex-1">{label}</span>
      {isChosen && <Check size={16} className="text-water" />}
      {shortcut && <kbd className="font-mono text-xs text-ink-soft">{shortcut}</kbd>}
    </AriaMenuItem>
  )
}

export function MenuSeparator() {
  return <Separator className="mx-1 my-1 h-px bg-line" />
}
