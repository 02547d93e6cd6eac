'use client'

import { useMutation } from '@tanstack/react-query'
import { useAddedSets } from '../added/use-added-sets.ts'
import { useOverrideActions } from '../overrides/use-override-actions.ts'
import type { HistoryItem } from '../types.ts'
import { isOfSet } from './history-action.ts'

/** Puts back what a change has replaced, unless somebody has changed it since. That is a change of its own. */
export function useUndo(item: HistoryItem) {
  const overrides = useOverrideActions()
  const sets = useAddedSets()
  const { ruleSet, procedure, target, subjectName, before, after, setBefore, setAfter, note, noteBefore } = item
  return useMutation({
    mutationFn: async (): Promise<void> => {
      if (isOfSet(item)) {
        const content = setBefore && { set: setBefore, note: noteBefore }
        const isLast = (now: { set: unknown; note: string | null } | null) =>
          isEqual([now?.set, now?.note], [setAfter, note])
        return sets.undo({ name: ruleSet, procedure: procedure ?? '' }, content, isLast)
      }
      const content = before && { terms: before, note: noteBefore }
      const isLast = (now: { terms: unknown; note: string | null } | null) =>
        isEqual([now?.terms, now?.note], [after, note])
      return overrides.undo({ ruleSet, procedure, target, subjectName }, content, isLast)
    },
  })
}

/** Both come from the same stored JSON, whose keys have one order. */
const isEqual = (a: readonly unknown[], b: readonly unknown[]): boolean =>
  JSON.stringify(a.map((each) => each ?? null)) === JSON.stringify(b)
