'use client'

import { useEffect, useState } from 'react'

/** A text once it has not changed for a moment, so that not every letter asks the server. */
export function useSettled(text: string): string {
  const [settled, setSettled] = useState(text)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(text), 300)
    return () => clearTimeout(timer)
  }, [text])
  return settled
}
