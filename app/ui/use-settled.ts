'use client'

import { useEffect, useState } from 'react'

/** Returns a text once it has not changed for 300 ms, so that not every keystroke calls the server. */
export function useSettled(text: string): string {
  const [settled, setSettled] = useState(text)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(text), 300)
    return () => clearTimeout(timer)
  }, [text])
  return settled
}
