'use client'

import { useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useMemo } from 'react'
import { useTRPC, useTRPCClient } from '#app/connection/trpc.ts'
import { reportFailure } from '#app/limits/report-failure.tsx'
import { toast } from '#app/ui/toast-queue.ts'
import { historyKey } from '../history/use-history.ts'
import type { OverrideItem, OverrideTarget, OverrideTerms } from '../types.ts'
import { targetWords } from '../words.ts'
import { overrideAt } from './in-force.ts'

/** Where an override stands: on which rule set, and for whom. */
export interface OverridePlace {
  readonly ruleSet: string
  readonly target: OverrideTarget
  readonly subjectName: string | null
}

/** What an override says. */
export type OverrideContent = Pick<OverrideItem, 'note'> & { readonly terms: OverrideTerms }

interface Saved {
  readonly isSaved: boolean
  /** What stands there. */
  readonly now: OverrideItem | null
}

/** Sets and clears overrides, each with a way back to what was. None changes what another has changed since it was shown. */
export function useOverrideActions() {
  const trpc = useTRPC()
  const client = useTRPCClient()
  const queryClient = useQueryClient()
  return useMemo(() => {
    /** The override that stands at a place now; what is shown follows. */
    async function standing({ ruleSet, target }: OverridePlace): Promise<OverrideItem | null> {
      const { ruleSets } = await queryClient.fetchQuery({ ...trpc.limits.list.queryOptions(), staleTime: 0 })
      const set = ruleSets.find(({ name }) => name === ruleSet)
      return set ? overrideAt(set, target) : null
    }

    /** Makes it so that `content` holds at a place, or nothing does; what stands there then, and what the server warns of. */
    async function put(place: OverridePlace, content: OverrideContent | null) {
      const warnings = content ? await override(place, content) : await clearAt(place)
      await queryClient.invalidateQueries({ queryKey: historyKey() })
      return { warnings, now: await standing(place) }
    }

    async function override({ ruleSet, target }: OverridePlace, { terms, note }: OverrideContent) {
      const { warnings } = await client.limits.override.mutate({ ruleSet, target, terms, ...(note && { note }) })
      return warnings
    }

    async function clearAt({ ruleSet, target }: OverridePlace): Promise<readonly string[]> {
      await client.limits.clear.mutate({ ruleSet, target })
      return []
    }

    async function undo(place: OverridePlace, before: OverrideContent | null, after: OverrideItem | null) {
      try {
        if (!isSame(await standing(place), after)) return tellOvertaken(place)
        await put(place, before)
        toast({ title: `${place.ruleSet} is as it was for ${wordsFor(place)}.` })
      } catch (error) {
        reportFailure(`${place.ruleSet} was not put back.`, error, () => undo(place, before, after))
      }
    }

    /** Saves nothing where another has changed it since `shown`, and tells what stands there. Throws what the server answers
     *  when the terms cannot hold. */
    async function save(place: OverridePlace, content: OverrideContent, shown: OverrideItem | null): Promise<Saved> {
      const found = await standing(place)
      if (!isSame(found, shown)) return { isSaved: false, now: found }
      const { warnings, now } = await put(place, content)
      const title = `${place.ruleSet} is overridden for ${wordsFor(place)}.`
      tell(title, warnings, () => void undo(place, contentOf(shown), now))
      return { isSaved: true, now }
    }

    async function clear(place: OverridePlace, shown: OverrideItem) {
      try {
        if (!isSame(await standing(place), shown)) return tellOvertaken(place)
        const { now } = await put(place, null)
        const before = contentOf(shown)
        toast({
          title: `The override of ${place.ruleSet} for ${wordsFor(place)} is cleared.`,
          ...(before && { action: { label: 'Undo', run: () => undo(place, before, now) } }),
        })
      } catch (error) {
        reportFailure('The override was not cleared.', error, () => clear(place, shown))
      }
    }

    return { save, clear }
  }, [client, queryClient, trpc])
}

/** What to put back. An override that cannot be read any more is not. */
const contentOf = (override: OverrideItem | null): OverrideContent | null =>
  override?.terms ? { terms: override.terms, note: override.note } : null

/** Whether nobody has written there since. */
export const isSame = (a: OverrideItem | null, b: OverrideItem | null): boolean =>
  a?.changedAt === b?.changedAt && a?.changedBy === b?.changedBy

function tellOvertaken(place: OverridePlace): void {
  toast({ title: `${place.ruleSet} was changed for ${wordsFor(place)} meanwhile, and stays as it is now.` })
}

const wordsFor = ({ target, subjectName }: OverridePlace): string => targetWords(target, subjectName)

/** A toast with a way back, which stays where there is a warning to read. */
function tell(title: string, warnings: readonly string[], undo: () => void): void {
  const body: ReactNode = warnings.join(' ')
  const message = { title, action: { label: 'Undo', run: undo } }
  if (warnings.length === 0) toast(message)
  else toast({ ...message, body: `But: ${body}` }, { stays: true })
}
