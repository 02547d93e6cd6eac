'use client'

import { infiniteQueryOptions, useMutation } from '@tanstack/react-query'
import { useTRPCClient } from '#app/connection/trpc.ts'
import { undoSlot } from '../changes/slot-changes.ts'
import { useAddedSlot } from '../changes/use-added-slot.ts'
import { historyKey } from '../changes/use-after-change.ts'
import { useOverrideSlot } from '../changes/use-override-slot.ts'
import type { HistoryItem } from '../types.ts'

/** The changes of a rule set, or of all if `ruleSet` is empty, newest first in pages. */
export function useHistoryOptions(ruleSet: string) {
  const client = useTRPCClient()
  return infiniteQueryOptions({
    queryKey: historyKey(ruleSet),
    initialPageParam: null as string | null,
    queryFn: ({ pageParam, signal }) =>
      client.limits.history.query(
        { ...(ruleSet && { ruleSet }), ...(pageParam !== null && { cursor: pageParam }) },
        { signal },
      ),
    getNextPageParam: ({ nextCursor }) => nextCursor,
  })
}

/** What a history entry records. */
export function historyAction({
  action,
  target,
  before,
  setBefore,
}: Pick<HistoryItem, 'action' | 'target' | 'before' | 'setBefore'>) {
  if (action === 'limits.removeRuleSet') return 'removedSet'
  if (action === 'limits.setRuleSet') return setBefore ? 'changedSet' : 'addedSet'
  if (action === 'limits.reset') return 'reset'
  const isTrial = target.kind === 'trial'
  if (action === 'limits.clear') return isTrial ? 'endedTrial' : 'cleared'
  if (isTrial) return before ? 'changedTrial' : 'tried'
  return before ? 'changed' : 'created'
}

/** Whether it is about a rule set that was added at run time. */
export const isOfSet = ({ action }: Pick<HistoryItem, 'action'>): boolean =>
  action === 'limits.setRuleSet' || action === 'limits.removeRuleSet'

/** Puts back what a change has replaced, unless somebody has changed it since. That is a change of its own. */
export function useUndo(item: HistoryItem) {
  const overrideSlot = useOverrideSlot()
  const addedSlot = useAddedSlot()
  const { ruleSet, procedure, target, subjectName, before, after, setBefore, setAfter, note, noteBefore } = item
  return useMutation({
    mutationFn: (): Promise<void> => {
      if (isOfSet(item)) {
        const content = setBefore && { set: setBefore, note: noteBefore }
        const place = { name: ruleSet, procedure: procedure ?? '' }
        return undoSlot(addedSlot(place), content, (now) => isEqual([now?.set, now?.note], [setAfter, note]))
      }
      const content = before && { terms: before, note: noteBefore }
      const place = { ruleSet, procedure, target, subjectName }
      return undoSlot(overrideSlot(place), content, (now) => isEqual([now?.terms, now?.note], [after, note]))
    },
  })
}

/** Both come from the same stored JSON, whose keys have one order. */
const isEqual = (a: readonly unknown[], b: readonly unknown[]): boolean =>
  JSON.stringify(a.map((each) => each ?? null)) === JSON.stringify(b)
