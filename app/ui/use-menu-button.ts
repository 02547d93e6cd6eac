'use client'

import { type KeyboardEvent, useRef, useState } from 'react'

/** A button whose menu is loaded apart: `load` fetches it when the button is pointed at or focused. Spread `button` on the button
 *  and `popover` on the menu, which is rendered while `isOpen`. */
export function useMenuButton(load: () => unknown, onOpen?: () => void) {
  const triggerRef = useRef<HTMLButtonElement>(null)
  const [isOpen, setOpen] = useState(false)
  const open = () => {
    onOpen?.()
    setOpen(true)
  }
  return {
    isOpen,
    button: {
      ref: triggerRef,
      'aria-haspopup': 'menu',
      'aria-expanded': isOpen,
      onPress: open,
      onPointerEnter: () => void load(),
      onFocus: () => void load(),
      onKeyDown: ({ key }: KeyboardEvent) => {
        if (key === 'ArrowDown' || key === 'ArrowUp') open()
      },
    },
    popover: { triggerRef, isOpen, onOpenChange: setOpen },
  } as const
}

export type MenuPopover = ReturnType<typeof useMenuButton>['popover']
