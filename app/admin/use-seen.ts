'use client'

import { useState } from 'react'
import { Overtaken } from '#app/limits/overtaken.ts'

/** Acts on what was shown first; whoever is told that it has changed meanwhile acts on what it is now the next time. */
export function useSeen<T>(shown: T) {
  const [seen, setSeen] = useState(shown)
  return async (act: (seen: T) => Promise<void>): Promise<void> => {
    try {
      await act(seen)
    } catch (error) {
      if (error instanceof Overtaken) setSeen(error.now)
      throw error
    }
  }
}
