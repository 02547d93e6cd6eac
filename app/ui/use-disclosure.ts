'use client'

import { useEffect, useEffectEvent, useId, useLayoutEffect, useRef } from 'react'

/** What a button and the panel that it opens need: spread `trigger` on the button and `panel` on the panel. The browser's page search
 *  finds what a closed panel holds, and opens it. */
export function useDisclosure(isOpen: boolean, setOpen: (isOpen: boolean) => void) {
  const id = useId()
  const ref = useRef<HTMLDivElement>(null)
  const find = useEffectEvent(() => setOpen(true))
  // React knows `hidden` only as true or false, and sets it before this.
  useLayoutEffect(() => {
    if (!isOpen) ref.current?.setAttribute('hidden', 'until-found')
  }, [isOpen])
  useEffect(() => {
    const panel = ref.current
    panel?.addEventListener('beforematch', find)
    return () => panel?.removeEventListener('beforematch', find)
  }, [])
  return {
    trigger: { 'aria-expanded': isOpen, 'aria-controls': id, onPress: () => setOpen(!isOpen) },
    panel: { id, ref, hidden: !isOpen },
  } as const
}
