'use client'

import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useSearchParams } from 'next/navigation'
import { useEffect, useEffectEvent, useMemo, useRef, useState } from 'react'
import { type ImageItem, useTRPC } from '#app/connection/trpc.ts'
import { browsed } from '#app/gallery/browsed.ts'
import { addressOfList, readList } from '#app/gallery/list-address.ts'
import { listScopes } from '#app/gallery/scopes.ts'
import { useListCache } from '#app/gallery/use-image-list.ts'
import { useSession } from '#app/shell/session.tsx'
import { useAhead } from './use-ahead.ts'

/** How long the neighbours of an image are taken to be the same. */
const NEIGHBOURS_MS = 30_000

/** The image shown, and the previous and next one in the list that the address names: the one it was opened from. The next one's
 *  file is loaded ahead while there are permits enough. */
export function useBrowse(initial: ImageItem) {
  const [image, setImage] = useState(initial)
  const [nearby, setNearby] = useState(browsed.around)
  const cache = useListCache()
  const { site, account, gallery } = useSession()
  const params = useSearchParams()
  const wasTrashed = initial.trashedAt !== null
  const list = useMemo(
    () => readList(params, listScopes(account, gallery), wasTrashed),
    [params, account, gallery, wasTrashed],
  )
  const trpc = useTRPC()
  const queryClient = useQueryClient()
  const aroundOptions = (id: string) =>
    trpc.image.neighbours.queryOptions({ id, ...list }, { staleTime: NEIGHBOURS_MS, retry: false })
  const { data: around } = useQuery(aroundOptions(image.id))
  /** From where the image was reached, which is known before its neighbours are. */
  const [came, setCame] = useState<{ readonly from: ImageItem; readonly by: 'previous' | 'next' } | null>(null)
  const known = (by: 'previous' | 'next') => (around || came?.by !== by ? undefined : came.from)
  const at = around ? -1 : nearby.findIndex(({ id }) => id === image.id)
  const previous = around ? around.before[0] : (known('next') ?? nearby[at - 1])
  const next = around ? around.after[0] : (known('previous') ?? (at < 0 ? undefined : nearby[at + 1]))
  const ahead = around?.isAmple ? next : undefined
  useAhead(ahead)
  const prefetch = useEffectEvent((id: string) => void queryClient.prefetchQuery(aroundOptions(id)))
  const aheadId = ahead?.id
  useEffect(() => {
    if (aheadId) prefetch(aheadId)
  }, [aheadId])

  useEffect(() => browsed.view(image.id), [image.id])
  useEffect(() => {
    if (browsed.takeOpened()) markEntry()
  }, [])

  /** The image shown; null once the page has been left. */
  const shown = useRef<string | null>(null)
  useEffect(() => {
    shown.current = image.id
    return () => {
      shown.current = null
    }
  }, [image.id])

  useEffect(() => {
    if (image.title !== null) document.title = `${image.title} · ${site.name}`
  }, [image.title, site.name])

  const show = (other: ImageItem) => {
    if (other.id !== image.id) setCame({ from: image, by: other.id === previous?.id ? 'previous' : 'next' })
    setImage(other)
    const state = cameFromList() ? { isFromList: true } : null
    window.history.replaceState(state, '', `/image/${other.slug}${window.location.search}`)
  }
  return {
    image,
    previous,
    next,
    show,
    /** Call when another image is shown because this one has left its list. */
    left() {
      queryClient.removeQueries(trpc.image.neighbours.pathFilter())
      setCame(null)
      setNearby([])
    },
    /** Updates the image in every list and, if it is still shown, here and in the address. */
    change(changed: ImageItem) {
      cache.replace(changed)
      void queryClient.invalidateQueries(trpc.image.neighbours.pathFilter())
      if (shown.current === changed.id) show(changed)
    },
    cameFromList,
    /** The list, where the browser's history does not lead back to it. */
    home: addressOfList(params, wasTrashed),
  }
}

/** Notes in the browser's history that the entry before this one is the list, for Back to return there also after a reload. */
const markEntry = () => window.history.replaceState({ ...window.history.state, isFromList: true }, '')
const cameFromList = (): boolean => window.history.state?.isFromList === true
