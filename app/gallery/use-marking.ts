'use client'

import { type ImageItem, useTRPCClient } from '#app/connection/trpc.ts'
import { mayFile, useSession } from '#app/shell/session.tsx'
import { useBulkActions } from './selecting/use-bulk-actions.ts'
import { useFavourite } from './use-favourite.ts'
import { useListCache } from './use-image-list.ts'

/** Marks images as favourites, or removes the marks if all have one: a single one at once, several with a toast and Undo, by
 *  script that is loaded then. Null for an account that keeps no favourites. */
export function useMarking(): ((images: readonly ImageItem[]) => void) | null {
  const client = useTRPCClient()
  const { replace } = useListCache()
  const toggle = useFavourite(replace)
  const { run } = useBulkActions()
  const { account } = useSession()
  if (!mayFile(account)) return null
  return (images) => {
    const shown = images.filter(({ url }) => url !== null)
    const [only] = shown
    if (only && shown.length === 1) return void toggle(only)
    const wanted = !shown.every(({ favourite }) => favourite)
    void import('./selecting/filing-actions.ts').then(({ filingActions }) =>
      filingActions(client, run).favourite(shown, wanted),
    )
  }
}
