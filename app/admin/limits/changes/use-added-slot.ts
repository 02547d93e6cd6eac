'use client'

import { useQueryClient } from '@tanstack/react-query'
import { useMemo } from 'react'
import { useTranslations } from 'use-intl/react'
import { useTRPC, useTRPCClient } from '#app/connection/trpc.ts'
import type { AddedSet } from '../added/added-draft.ts'
import type { AddedSetItem } from '../types.ts'
import type { Slot } from './slot-changes.ts'
import { useAfterChange } from './use-after-change.ts'

/** A rule set where it is added. */
export interface SetPlace {
  readonly name: string
  readonly procedure: string
}

/** An added set and its note. */
export type SetContent = { readonly set: AddedSet; readonly note: string | null }

/** Returns the slot of a rule set that is added at run time. */
export function useAddedSlot(): (place: SetPlace) => Slot<AddedSetItem, SetContent> {
  const t = useTranslations('adminAdded')
  const trpc = useTRPC()
  const client = useTRPCClient()
  const queryClient = useQueryClient()
  const afterChange = useAfterChange()
  return useMemo(() => {
    return (place) => {
      const read = async () => {
        const { added } = await queryClient.fetchQuery({ ...trpc.limits.list.queryOptions(), staleTime: 0 })
        return added.find(({ name }) => name === place.name) ?? null
      }
      const send = (set: AddedSet, note: string | null) =>
        client.limits.setRuleSet.mutate({ ...place, set, ...(note && { note }) })
      return {
        read,
        /** A set that is not there begins in shadow mode, so that one that was enforced is added before it is enforced again. */
        write: async (content) => {
          if (content && content.set.mode !== 'shadow' && !(await read())) await send(begun(content.set), null)
          if (content) await send(content.set, content.note)
          else await client.limits.removeRuleSet.mutate(place)
          await afterChange()
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
  }, [afterChange, client, queryClient, t, trpc])
}

/** As the server takes a new set. */
const begun = ({ wait: _, onStoreFailure: __, ...set }: AddedSet): AddedSet => ({ ...set, mode: 'shadow' })
