'use client'

import { useEffect, useEffectEvent, useState } from 'react'
import { useSettled } from './use-settled.ts'

/** As many characters of a text stand in the address. */
const MOST = 300

/** Text of a field that is applied once typing pauses. What changes elsewhere replaces what was typed. */
export function useTyped(applied: string | undefined = '', onSettled: (text: string) => void) {
  const [typed, setTyped] = useState(applied)
  const [seen, setSeen] = useState(applied)
  const [sent, setSent] = useState(applied)
  const settled = useSettled(typed.trim().slice(0, MOST))
  const send = useEffectEvent((text: string) => {
    if (text === applied) return
    setSent(text)
    onSettled(text)
  })
  useEffect(() => send(settled), [settled])
  if (applied !== seen) {
    setSeen(applied)
    // What this field has sent may have been typed on since.
    if (applied !== sent) setTyped(applied)
    setSent(applied)
  }
  return [typed, setTyped] as const
}
