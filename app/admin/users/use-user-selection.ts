'use client'

import { useState } from 'react'
import type { UserItem } from '#app/connection/trpc.ts'

/** Users per call; the server's maximum. */
const MOST = 100

/** The selected accounts among those that are shown. */
export function useUserSelection(users: readonly UserItem[]) {
  const [ids, setIds] = useState<ReadonlySet<string>>(new Set())
  const selected = users.filter(({ id }) => ids.has(id))
  return {
    selected,
    isSelected: (id: string) => ids.has(id),
    toggle: (id: string) => {
      const others = new Set(ids)
      if (!others.delete(id) && selected.length < MOST) others.add(id)
      setIds(others)
    },
    selectAll: () => setIds(new Set(users.slice(0, MOST).map(({ id }) => id))),
    clear: () => setIds(new Set()),
  }
}

export type UserSelection = ReturnType<typeof useUserSelection>
