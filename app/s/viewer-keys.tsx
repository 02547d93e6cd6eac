'use client'

import { useEffect, useEffectEvent } from 'react'
import { isTaken } from '#app/shell/key-command.ts'
import { leaveTo } from '#app/shell/sign-in.ts'

interface Props {
  previous: string | null
  next: string | null
  back: string | null
}

/** The arrow keys lead to the neighbours, and Escape to all images. */
export function ViewerKeys({ previous, next, back }: Props) {
  const press = useEffectEvent((event: KeyboardEvent) => {
    if (event.defaultPrevented || event.altKey || event.ctrlKey || event.metaKey || isTaken(event.target)) return
    const to = { ArrowLeft: previous, ArrowRight: next, Escape: back }[event.key]
    if (to) leaveTo(to)
  })
  useEffect(() => {
    const listen = (event: KeyboardEvent) => press(event)
    window.addEventListener('keydown', listen)
    return () => window.removeEventListener('keydown', listen)
  }, [])
  return null
}
