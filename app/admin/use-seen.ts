'use client'

import { useState } from 'react'
import { EditConflict } from '#app/limits/edit-conflict.ts'

/** Returns a function that calls `act` with the value the user has seen: what was shown first or, after an EditConflict, the value
 *  that the conflict reported. */
export function useSeen<T>(shown: T) {
  const [seen, setSeen] = useState(shown)
  return async (act: (seen: T) => Promise<void>): Promise<void> => {
    try {
      await act(seen)
    } catch (error) {
      if (error instanceof EditConflict) setSeen(error.now)
      throw error
    }
  }
}
