'use client'

import { useQueryClient } from '@tanstack/react-query'
import { useMemo } from 'react'
import { useTranslations } from 'use-intl/react'
import { useTRPC, useTRPCClient } from '#app/connection/trpc.ts'
import { overrideAt } from '../places.ts'
import { targetName } from '../terms-text.ts'
import type { OverrideItem, OverrideTerms, Place } from '../types.ts'
import type { Slot } from './slot-changes.ts'
import { useAfterChange } from './use-after-change.ts'

/** The rule set of an override, and where and for whom it applies. */
export interface OverridePlace extends Place {
  readonly ruleSet: string
  readonly subjectName: string | null
}

/** The terms and the note of an override. */
export type OverrideContent = Pick<OverrideItem, 'note'> & { readonly terms: OverrideTerms }

/** Returns the slot of an override or a trial. */
export function useOverrideSlot(): (place: OverridePlace) => Slot<OverrideItem, OverrideContent> {
  const t = useTranslations('adminOverrides')
  const tLimits = useTranslations('adminLimits')
  const trpc = useTRPC()
  const client = useTRPCClient()
  const queryClient = useQueryClient()
  const afterChange = useAfterChange()
  return useMemo(() => {
    return ({ subjectName, ...at }) => {
      const { ruleSet, procedure, target } = at
      const names = { ruleSet, target: targetName(tLimits, target, subjectName, procedure) }
      const input = ({ terms, note }: OverrideContent) => ({ ...at, terms, ...(note && { note }) })
      const isTrial = target.kind === 'trial'
      return {
        read: async () => {
          const { ruleSets } = await queryClient.fetchQuery({ ...trpc.limits.list.queryOptions(), staleTime: 0 })
          const set = ruleSets.find(({ name }) => name === ruleSet)
          return set ? overrideAt(set, at) : null
        },
        write: async (content) => {
          if (content) await client.limits.override.mutate(input(content))
          else await client.limits.clear.mutate(at)
          await afterChange()
        },
        check: async (content) => (await client.limits.override.mutate({ ...input(content), dryRun: true })).warnings,
        contentOf: ({ terms, note }) => terms && { terms, note },
        say: {
          saved: () => (isTrial ? t('trial.begun', names) : t('saved', names)),
          cleared: isTrial ? t('trial.ended', names) : t('cleared', names),
          clearFailed: t('clearFailed'),
          undo: t('undo'),
          undone: t('undone', names),
          undoFailed: t('undoFailed', names),
          kept: t('conflictKept', names),
        },
      }
    }
  }, [afterChange, client, queryClient, t, tLimits, trpc])
}
