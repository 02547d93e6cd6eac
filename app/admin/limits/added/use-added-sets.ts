'use client'

import { useQueryClient } from '@tanstack/react-query'
import { useMemo } from 'react'
import { useTranslations } from 'use-intl/react'
import { useTRPC, useTRPCClient } from '#app/connection/trpc.ts'
import { reportFailure } from '#app/limits/report-failure.tsx'
import { toast } from '#app/ui/toast-queue.ts'
import { useFormat } from '#app/ui/use-format.ts'
import { historyKey } from '../history/use-history.ts'
import { overrideWarningText } from '../overrides/warning-text.ts'
import type { AddedSetItem } from '../types.ts'
import type { AddedSet } from './added-draft.ts'

/** A rule set where it is added. */
export interface SetPlace {
  readonly name: string
  readonly procedure: string
}

type Content = { readonly set: AddedSet; readonly note: string | null }

/** Adds, changes and removes rule sets, each with an undo. None replaces what someone else has changed since it was shown. */
export function useAddedSets() {
  const t = useTranslations('adminAdded')
  const tOverrides = useTranslations('adminOverrides')
  const format = useFormat()
  const trpc = useTRPC()
  const client = useTRPCClient()
  const queryClient = useQueryClient()
  return useMemo(() => {
    async function current({ name }: SetPlace): Promise<AddedSetItem | null> {
      const { added } = await queryClient.fetchQuery({ ...trpc.limits.list.queryOptions(), staleTime: 0 })
      return added.find((each) => each.name === name) ?? null
    }

    /** Sets or removes the set, and returns what results with the server's warnings. A set that is not there begins in shadow
     *  mode, so that one that was enforced is added before it is enforced again. */
    async function put(place: SetPlace, content: Content | null) {
      const send = async (set: AddedSet, note: string | null) =>
        (await client.limits.setRuleSet.mutate({ ...place, set, ...(note && { note }) })).warnings
      if (content && content.set.mode !== 'shadow' && !(await current(place))) await send(begun(content.set), null)
      const warnings = content ? await send(content.set, content.note) : []
      if (!content) await client.limits.removeRuleSet.mutate(place)
      await queryClient.invalidateQueries({ queryKey: historyKey() })
      return { warnings, now: await current(place) }
    }

    async function undo(place: SetPlace, before: Content | null, after: AddedSetItem | null) {
      try {
        if (!isSame(await current(place), after)) return void toast({ title: t('kept', place) })
        await put(place, before)
        toast({ title: t('undone', place) })
      } catch (error) {
        reportFailure(t('undoFailed', place), error, () => undo(place, before, after))
      }
    }

    /** Returns whether it was saved: not if someone else has changed the set since it was shown. Throws the server's error. */
    async function save(place: SetPlace, content: Content, shown: AddedSetItem | null): Promise<boolean> {
      if (!isSame(await current(place), shown)) return false
      const { warnings, now } = await put(place, content)
      const action = { label: t('undo'), run: () => void undo(place, toContent(shown), now) }
      const title = shown ? t('saved', place) : t('added', place)
      const body = format.sentences(warnings.map((warning) => overrideWarningText(tOverrides, format, warning)))
      if (warnings.length === 0) toast({ title, action })
      else toast({ title, action, body: tOverrides('savedWarning', { warnings: body }) }, { stays: true })
      return true
    }

    async function remove(place: SetPlace, shown: AddedSetItem) {
      try {
        if (!isSame(await current(place), shown)) return void toast({ title: t('kept', place) })
        const { now } = await put(place, null)
        const before = toContent(shown)
        toast({
          title: t('removed', place),
          ...(before && { action: { label: t('undo'), run: () => void undo(place, before, now) } }),
        })
      } catch (error) {
        reportFailure(t('removeFailed', place), error, () => remove(place, shown))
      }
    }

    return { save, remove }
  }, [client, format, queryClient, t, tOverrides, trpc])
}

/** As the server takes a new set. */
const begun = ({ wait: _, onStoreFailure: __, ...set }: AddedSet): AddedSet => ({ ...set, mode: 'shadow' })

const toContent = (item: AddedSetItem | null): Content | null => (item?.set ? { set: item.set, note: item.note } : null)

const isSame = (a: AddedSetItem | null, b: AddedSetItem | null): boolean =>
  a?.changedAt === b?.changedAt && a?.changedBy === b?.changedBy
