'use client'

import { useQueryClient } from '@tanstack/react-query'
import { useTranslations } from 'use-intl/react'
import { useTRPC, useTRPCClient } from '#app/connection/trpc.ts'
import type { AddedSet } from '../editor/added-draft.ts'
import { overrideAt } from '../places.ts'
import { targetName } from '../terms-text.ts'
import type { AddedSetItem, OverrideItem, OverrideTerms, Place } from '../types.ts'
import type { Slot } from './slot.ts'

/** The rule set of an override, and where and for whom it applies. */
interface OverridePlace extends Place {
  readonly ruleSet: string
  readonly subjectName: string | null
}

/** The terms and the note of an override. */
type OverrideContent = Pick<OverrideItem, 'note'> & { readonly terms: OverrideTerms }

/** Returns the slot of an override or a trial. */
export function useOverrideSlot(): (place: OverridePlace) => Slot<OverrideItem, OverrideContent> {
  const t = useTranslations('adminOverrides')
  const tLimits = useTranslations('adminLimits')
  const { client, readList, refresh } = useLimitsData()
  return ({ subjectName, ...at }) => {
    const { ruleSet, procedure, target } = at
    const names = { ruleSet, target: targetName(tLimits, target, subjectName, procedure) }
    const input = ({ terms, note }: OverrideContent) => ({ ...at, terms, ...(note && { note }) })
    const isTrial = target.kind === 'trial'
    return {
      read: async () => {
        const set = (await readList()).ruleSets.find(({ name }) => name === ruleSet)
        return set ? overrideAt(set, at) : null
      },
      write: async (content) => {
        if (content) await client.limits.override.mutate(input(content))
        else await client.limits.clear.mutate(at)
        await refresh()
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
}

/** A rule set where it is added. */
interface SetPlace {
  readonly name: string
  readonly procedure: string
}

/** An added set and its note. */
type SetContent = { readonly set: AddedSet; readonly note: string | null }

/** Returns the slot of a rule set that is added at run time. */
export function useAddedSlot(): (place: SetPlace) => Slot<AddedSetItem, SetContent> {
  const t = useTranslations('adminAdded')
  const { client, readList, refresh } = useLimitsData()
  return (place) => {
    const read = async () => (await readList()).added.find(({ name }) => name === place.name) ?? null
    const send = (set: AddedSet, note: string | null) =>
      client.limits.setRuleSet.mutate({ ...place, set, ...(note && { note }) })
    return {
      read,
      /** A set that is not there begins in shadow mode, so that one that was enforced is added before it is enforced again. */
      write: async (content) => {
        if (content && content.set.mode !== 'shadow' && !(await read())) await send(begun(content.set), null)
        if (content) await send(content.set, content.note)
        else await client.limits.removeRuleSet.mutate(place)
        await refresh()
      },
      check: async ({ set }) => (await client.limits.setRuleSet.mutate({ ...place, set, dryRun: true })).warnings,
      contentOf: ({ set, note }) => set && { set, note },
      say: {
        saved: (before) => (before ? t('saved', place) : t('added', place)),
        cleared: t('removed', place),
        clearFailed: t('removeFailed', place),
        undo: t('undo'),
        undone: t('undone', place),
        undoFailed: t('undoFailed', place),
        kept: t('kept', place),
      },
    }
  }
}

/** As the server takes a new set. */
const begun = ({ wait: _, onStoreFailure: __, ...set }: AddedSet): AddedSet => ({ ...set, mode: 'shadow' })

/** The history of a rule set, or of all. */
export const historyKey = (ruleSet?: string) =>
  ruleSet === undefined ? ['limits-history'] : ['limits-history', ruleSet]

/** Reads the list again, and with `refresh` what a change of the limits has changed beside it. */
export function useLimitsData() {
  const trpc = useTRPC()
  const client = useTRPCClient()
  const queryClient = useQueryClient()
  const readList = () => queryClient.fetchQuery({ ...trpc.limits.list.queryOptions(), staleTime: 0 })
  const refresh = (): Promise<unknown> =>
    Promise.all([
      queryClient.invalidateQueries({ queryKey: historyKey() }),
      queryClient.invalidateQueries(trpc.limits.blocks.queryFilter()),
      queryClient.invalidateQueries(trpc.limits.explain.queryFilter()),
    ])
  return { client, readList, refresh }
}
