'use client'

import { useQueryClient } from '@tanstack/react-query'
import { useMemo } from 'react'
import { useTranslations } from 'use-intl/react'
import { useTRPC, useTRPCClient } from '#app/connection/trpc.ts'
import { reportFailure } from '#app/limits/report-failure.tsx'
import { toast } from '#app/ui/toast-queue.ts'
import { useFormat } from '#app/ui/use-format.ts'
import { historyKey } from '../history/use-history.ts'
import { targetName } from '../terms-text.ts'
import type { OverrideItem, OverrideTerms, Place } from '../types.ts'
import { overrideAt } from './in-force.ts'
import { type OverrideWarning, overrideWarningText } from './warning-text.ts'

/** The rule set of an override, and where and for whom it applies. */
export interface OverridePlace extends Place {
  readonly ruleSet: string
  readonly subjectName: string | null
}

/** The terms and the note of an override. */
export type OverrideContent = Pick<OverrideItem, 'note'> & { readonly terms: OverrideTerms }

interface Saved {
  readonly isSaved: boolean
  /** The current override. */
  readonly now: OverrideItem | null
}

/** Sets and clears overrides, each with an undo. None replaces what someone else has changed since it was shown. */
export function useOverrideActions() {
  const t = useTranslations('adminOverrides')
  const tLimits = useTranslations('adminLimits')
  const format = useFormat()
  const trpc = useTRPC()
  const client = useTRPCClient()
  const queryClient = useQueryClient()
  return useMemo(() => {
    const names = ({ ruleSet, procedure, target, subjectName }: OverridePlace) => {
      return { ruleSet, target: targetName(tLimits, target, subjectName, procedure) }
    }

    /** Returns the current override of a target, and updates the list on the page. */
    async function current({ ruleSet, ...place }: OverridePlace): Promise<OverrideItem | null> {
      const { ruleSets } = await queryClient.fetchQuery({ ...trpc.limits.list.queryOptions(), staleTime: 0 })
      const set = ruleSets.find(({ name }) => name === ruleSet)
      return set ? overrideAt(set, place) : null
    }

    /** Sets the override, or clears it if `content` is null. Returns the override that results, and the server's warnings. */
    async function put(place: OverridePlace, content: OverrideContent | null) {
      const warnings = content ? await override(place, content) : await clearAt(place)
      await queryClient.invalidateQueries({ queryKey: historyKey() })
      return { warnings, now: await current(place) }
    }

    async function override({ subjectName: _, ...place }: OverridePlace, { terms, note }: OverrideContent) {
      const { warnings } = await client.limits.override.mutate({ ...place, terms, ...(note && { note }) })
      return warnings
    }

    async function clearAt({ subjectName: _, ...place }: OverridePlace): Promise<readonly OverrideWarning[]> {
      await client.limits.clear.mutate(place)
      return []
    }

    function reportConflict(place: OverridePlace): void {
      toast({ title: t('conflictKept', names(place)) })
    }

    async function undo(place: OverridePlace, before: OverrideContent | null, after: OverrideItem | null) {
      try {
        if (!isSame(await current(place), after)) return reportConflict(place)
        await put(place, before)
        toast({ title: t('undone', names(place)) })
      } catch (error) {
        reportFailure(t('undoFailed', { ruleSet: place.ruleSet }), error, () => undo(place, before, after))
      }
    }

    /** Saves nothing if someone else has changed the override since `shown`, and returns the current one. Throws the server's
     *  error if the terms are refused. */
    async function save(place: OverridePlace, content: OverrideContent, shown: OverrideItem | null): Promise<Saved> {
      const found = await current(place)
      if (!isSame(found, shown)) return { isSaved: false, now: found }
      const { warnings, now } = await put(place, content)
      const action = { label: t('undo'), run: () => void undo(place, toContent(shown), now) }
      const message = { title: t('saved', names(place)), action }
      // Warnings must be read before the toast disappears.
      if (warnings.length === 0) toast(message)
      else
        toast(
          {
            ...message,
            body: t('savedWarning', {
              warnings: format.sentences(warnings.map((warning) => overrideWarningText(t, format, warning))),
            }),
          },
          { stays: true },
        )
      return { isSaved: true, now }
    }

    async function clear(place: OverridePlace, shown: OverrideItem) {
      try {
        if (!isSame(await current(place), shown)) return reportConflict(place)
        const { now } = await put(place, null)
        const before = toContent(shown)
        toast({
          title: t('cleared', names(place)),
          ...(before && { action: { label: t('undo'), run: () => undo(place, before, now) } }),
        })
      } catch (error) {
        reportFailure(t('clearFailed'), error, () => clear(place, shown))
      }
    }

    return { save, clear }
  }, [client, format, queryClient, t, tLimits, trpc])
}

/** The content that an undo restores. An override that this version cannot read has none. */
const toContent = (override: OverrideItem | null): OverrideContent | null =>
  override?.terms ? { terms: override.terms, note: override.note } : null

/** Whether nobody has changed the override in between. */
export const isSame = (a: OverrideItem | null, b: OverrideItem | null): boolean =>
  a?.changedAt === b?.changedAt && a?.changedBy === b?.changedBy
