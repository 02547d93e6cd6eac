'use client'

import { useQueryClient } from '@tanstack/react-query'
import { useMemo } from 'react'
import { useTranslations } from 'use-intl/react'
import { useTRPC, useTRPCClient } from '#app/connection/trpc.ts'
import { reportFailure } from '#app/limits/report-failure.tsx'
import { toast } from '#app/ui/toast-queue.ts'
import { historyKey } from '../history/use-history.ts'
import type { OverrideWarning } from '../overrides/warning-notice.tsx'
import type { AddedSetItem } from '../types.ts'
import type { AddedSet } from './added-draft.ts'

/** A rule set where it is added. */
export interface SetPlace {
  readonly name: string
  readonly procedure: string
}

interface Saved {
  readonly isSaved: boolean
  readonly warnings: readonly OverrideWarning[]
}

type Content = { readonly set: AddedSet; readonly note: string | null }

/** Adds, changes and removes rule sets, each with an undo. None replaces what someone else has changed since it was shown. */
export function useAddedSets() {
  const t = useTranslations('adminAdded')
  const trpc = useTRPC()
  const client = useTRPCClient()
  const queryClient = useQueryClient()
  return useMemo(() => {
    async function current({ name }: SetPlace): Promise<AddedSetItem | null> {
      const { added } = await queryClient.fetchQuery({ ...trpc.limits.list.queryOptions(), staleTime: 0 })
      return added.find((each) => each.name === name) ?? null
    }

    /** Sets or removes the set, and returns what results. A set that is not there begins in shadow
     *  mode, so that one that was enforced is added before it is enforced again. */
    async function put(place: SetPlace, content: Content | null) {
      const send = (set: AddedSet, note: string | null) =>
        client.limits.setRuleSet.mutate({ ...place, set, ...(note && { note }) })
      if (content && content.set.mode !== 'shadow' && !(await current(place))) await send(begun(content.set), null)
      if (content) await send(content.set, content.note)
      else await client.limits.removeRuleSet.mutate(place)
      await queryClient.invalidateQueries({ queryKey: historyKey() })
      return current(place)
    }

    /** Puts back what was there before a change, if that is still the last one. */
    async function undo(place: SetPlace, before: Content | null, isLast: (now: AddedSetItem | null) => boolean) {
      try {
        if (!isLast(await current(place))) return void toast({ title: t('kept', place) })
        await put(place, before)
        toast({ title: t('undone', place) })
      } catch (error) {
        reportFailure(t('undoFailed', place), error, () => undo(place, before, isLast))
      }
    }

    /** Saves nothing if someone else has changed the set since it was shown, nor rules with warnings that were not `seen`. Throws
     *  the server's error. */
    async function save(
      place: SetPlace,
      { set, note }: Content,
      { shown, seen }: { shown: AddedSetItem | null; seen: boolean },
    ): Promise<Saved> {
      if (!isSame(await current(place), shown)) return { isSaved: false, warnings: [] }
      const { warnings } = seen
        ? { warnings: [] }
        : await client.limits.setRuleSet.mutate({ ...place, set, dryRun: true })
      if (warnings.length > 0) return { isSaved: false, warnings }
      const now = await put(place, { set, note })
      const run = () => void undo(place, toContent(shown), (later) => isSame(later, now))
      toast({ title: shown ? t('saved', place) : t('added', place), action: { label: t('undo'), run } })
      return { isSaved: true, warnings }
    }

    async function remove(place: SetPlace, shown: AddedSetItem) {
      try {
        if (!isSame(await current(place), shown)) return void toast({ title: t('kept', place) })
        const now = await put(place, null)
        const before = toContent(shown)
        toast({
          title: t('removed', place),
          ...(before && {
            action: { label: t('undo'), run: () => void undo(place, before, (later) => isSame(later, now)) },
          }),
        })
      } catch (error) {
        reportFailure(t('removeFailed', place), error, () => remove(place, shown))
      }
    }

    return { save, remove, undo }
  }, [client, queryClient, t, trpc])
}

/** As the server takes a new set. */
const begun = ({ wait: _, onStoreFailure: __, ...set }: AddedSet): AddedSet => ({ ...set, mode: 'shadow' })

const toContent = (item: AddedSetItem | null): Content | null => (item?.set ? { set: item.set, note: item.note } : null)

const isSame = (a: AddedSetItem | null, b: AddedSetItem | null): boolean =>
  a?.changedAt === b?.changedAt && a?.changedBy === b?.changedBy
