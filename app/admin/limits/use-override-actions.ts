'use client'

import { useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useMemo } from 'react'
import { useTRPC, useTRPCClient } from '#app/connection/trpc.ts'
import { reportFailure } from '#app/limits/report-failure.tsx'
import { toast } from '#app/ui/toast-queue.ts'
import type { OverrideItem, OverrideTarget, OverrideTerms } from './types.ts'
import { historyKey } from './use-history.ts'
import { targetWords } from './words.ts'

/** Where an override stands: on which rule set, and for whom. */
export interface OverridePlace {
  readonly ruleSet: string
  readonly target: OverrideTarget
  readonly subjectName: string | null
}

/** What an override says. */
export type OverrideContent = Pick<OverrideItem, 'note'> & { readonly terms: OverrideTerms }

/** Sets and clears overrides, each with a way back to what was. */
export function useOverrideActions() {
  const trpc = useTRPC()
  const client = useTRPCClient()
  const queryClient = useQueryClient()
  return useMemo(() => {
    const refresh = () =>
      Promise.all([
        queryClient.invalidateQueries({ queryKey: trpc.limits.list.queryKey() }),
        queryClient.invalidateQueries({ queryKey: historyKey() }),
      ])

    /** Makes it so that `content` holds at a place, or nothing does. */
    async function put({ ruleSet, target }: OverridePlace, content: OverrideContent | null) {
      if (!content) {
        await client.limits.clear.mutate({ ruleSet, target })
        await refresh()
        return []
      }
      const { terms, note } = content
      const { warnings } = await client.limits.override.mutate({ ruleSet, target, terms, ...(note && { note }) })
      await refresh()
      return warnings
    }

    function undo(place: OverridePlace, before: OverrideContent | null): void {
      put(place, before).then(
        () => toast({ title: `${place.ruleSet} is as it was for ${wordsFor(place)}.` }),
        (error) => reportFailure(`${place.ruleSet} was not put back.`, error, () => undo(place, before)),
      )
    }

    /** Throws what the server answers when the terms cannot hold. */
    async function save(place: OverridePlace, content: OverrideContent, before: OverrideContent | null) {
      const warnings = await put(place, content)
      const title = `${place.ruleSet} is overridden for ${wordsFor(place)}.`
      tell(title, warnings, () => undo(place, before))
    }

    function clear(place: OverridePlace, before: OverrideContent | null): void {
      put(place, null).then(
        () =>
          toast({
            title: `The override of ${place.ruleSet} for ${wordsFor(place)} is cleared.`,
            ...(before && { action: { label: 'Undo', run: () => undo(place, before) } }),
          }),
        (error) => reportFailure('The override was not cleared.', error, () => clear(place, before)),
      )
    }

    return { save, clear }
  }, [client, queryClient, trpc])
}

const wordsFor = ({ target, subjectName }: OverridePlace): string => targetWords(target, subjectName)

/** A toast with a way back, which stays where there is a warning to read. */
function tell(title: string, warnings: readonly string[], undo: () => void): void {
  const body: ReactNode = warnings.join(' ')
  const message = { title, action: { label: 'Undo', run: undo } }
  if (warnings.length === 0) toast(message)
  else toast({ ...message, body: `But: ${body}` }, { stays: true })
}
