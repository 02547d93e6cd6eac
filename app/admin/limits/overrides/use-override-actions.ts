'use client'

import { useQueryClient } from '@tanstack/react-query'
import { useMemo } from 'react'
import { useTranslations } from 'use-intl/react'
import { useTRPC, useTRPCClient } from '#app/connection/trpc.ts'
import { reportFailure } from '#app/limits/report-failure.tsx'
import { toast } from '#app/ui/toast-queue.ts'
import { historyKey } from '../history/use-history.ts'
import { targetName } from '../terms-text.ts'
import type { OverrideItem, OverrideTerms, Place } from '../types.ts'
import { overrideAt } from './in-force.ts'
import type { OverrideWarning } from './warning-notice.tsx'

/** The rule set of an override, and where and for whom it applies. */
export interface OverridePlace extends Place {
  readonly ruleSet: string
  readonly subjectName: string | null
}

/** The terms and the note of an override. */
export type OverrideContent = Pick<OverrideItem, 'note'> & { readonly terms: OverrideTerms }

interface Saved {
  readonly isSaved: boolean
  /** What the rules would do that is probably not meant: then nothing is saved, unless these were seen. */
  readonly warnings: readonly OverrideWarning[]
  /** The current override. */
  readonly now: OverrideItem | null
}

/** Sets and clears overrides, each with an undo. None replaces what someone else has changed since it was shown. */
export function useOverrideActions() {
  const t = useTranslations('adminOverrides')
  const tLimits = useTranslations('adminLimits')
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

    /** Sets the override, or clears it if `content` is null, and returns the override that results. */
    async function put(place: OverridePlace, content: OverrideContent | null): Promise<OverrideItem | null> {
      const { subjectName: _, ...at } = place
      if (content) await client.limits.override.mutate(toInput(place, content))
      else await client.limits.clear.mutate(at)
      await queryClient.invalidateQueries({ queryKey: historyKey() })
      return current(place)
    }

    function reportConflict(place: OverridePlace): void {
      toast({ title: t('conflictKept', names(place)) })
    }

    /** Puts back what was there before a change, if that is still the last one. */
    async function undo(
      place: OverridePlace,
      before: OverrideContent | null,
      isLast: (now: OverrideItem | null) => boolean,
    ) {
      try {
        if (!isLast(await current(place))) return reportConflict(place)
        await put(place, before)
        toast({ title: t('undone', names(place)) })
      } catch (error) {
        reportFailure(t('undoFailed', { ruleSet: place.ruleSet }), error, () => undo(place, before, isLast))
      }
    }

    /** Saves nothing if someone else has changed the override since `shown`, and returns the current one; nor terms with warnings
     *  that were not `seen`. Throws the server's error if the terms are refused. */
    async function save(
      place: OverridePlace,
      content: OverrideContent,
      { shown, seen }: { shown: OverrideItem | null; seen: boolean },
    ): Promise<Saved> {
      const found = await current(place)
      if (!isSame(found, shown)) return { isSaved: false, warnings: [], now: found }
      const checked = { ...toInput(place, content), dryRun: true }
      const warnings = seen ? [] : (await client.limits.override.mutate(checked)).warnings
      if (warnings.length > 0) return { isSaved: false, warnings, now: found }
      const now = await put(place, content)
      const run = () => void undo(place, toContent(shown), (later) => isSame(later, now))
      toast({ title: t('saved', names(place)), action: { label: t('undo'), run } })
      return { isSaved: true, warnings, now }
    }

    async function clear(place: OverridePlace, shown: OverrideItem) {
      try {
        if (!isSame(await current(place), shown)) return reportConflict(place)
        const now = await put(place, null)
        const before = toContent(shown)
        toast({
          title: t('cleared', names(place)),
          ...(before && {
            action: { label: t('undo'), run: () => undo(place, before, (later) => isSame(later, now)) },
          }),
        })
      } catch (error) {
        reportFailure(t('clearFailed'), error, () => clear(place, shown))
      }
    }

    return { save, clear, undo }
  }, [client, queryClient, t, tLimits, trpc])
}

const toInput = ({ subjectName: _, ...place }: OverridePlace, { terms, note }: OverrideContent) => {
  return { ...place, terms, ...(note && { note }) }
}

/** The content that an undo restores. An override that this version cannot read has none. */
const toContent = (override: OverrideItem | null): OverrideContent | null =>
  override?.terms ? { terms: override.terms, note: override.note } : null

/** Whether nobody has changed the override in between. */
export const isSame = (a: OverrideItem | null, b: OverrideItem | null): boolean =>
  a?.changedAt === b?.changedAt && a?.changedBy === b?.changedBy
