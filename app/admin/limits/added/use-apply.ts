'use client'

import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useTranslations } from 'use-intl/react'
import { useTRPC } from '#app/connection/trpc.ts'
import { reportFailure } from '#app/limits/report-failure.tsx'
import { overrideAt } from '../overrides/in-force.ts'
import { useOverrideActions } from '../overrides/use-override-actions.ts'
import type { AddedSetItem, Place } from '../types.ts'
import { useAddedSets } from './use-added-sets.ts'

/** Enforces an added set; for one that tries rules of another, makes them that one's rules, for the procedure where they were
 *  tried, and ends the trial. */
export function useApply(item: AddedSetItem, tried: string | null) {
  const t = useTranslations('adminAdded')
  const trpc = useTRPC()
  const queryClient = useQueryClient()
  const sets = useAddedSets()
  const overrides = useOverrideActions()
  const { name, procedure, set, note } = item
  const place = { name, procedure }
  const mutation = useMutation({
    mutationFn: async (): Promise<void> => {
      if (!set) return
      if (tried === null) {
        await sets.save(place, { set: { ...set, mode: 'enforce' }, note }, { shown: item, seen: true })
        return
      }
      const { ruleSets } = await queryClient.fetchQuery({ ...trpc.limits.list.queryOptions(), staleTime: 0 })
      const known = ruleSets.find((each) => each.name === tried)
      const at: Place = { target: { kind: 'all' }, ...(known && known.usedBy.length > 1 && { procedure }) }
      const terms = { rules: set.rules }
      const shown = known ? overrideAt(known, at) : null
      await overrides.save({ ...at, ruleSet: tried, subjectName: null }, { terms, note }, { shown, seen: true })
      await sets.remove(place, item)
    },
    onError: (error) => reportFailure(t('applyFailed', place), error, () => mutation.mutate()),
  })
  return mutation
}
