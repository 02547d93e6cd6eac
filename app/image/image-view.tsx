'use client'

import { useRouter } from 'next/navigation'
import { useEffect, useEffectEvent } from 'react'
import { useTranslations } from 'use-intl/react'
import { type ImageItem, useTRPCClient } from '#app/connection/trpc.ts'
import { rightsOver } from '#app/gallery/rights.ts'
import { useFavourite } from '#app/gallery/use-favourite.ts'
import { useImageActions } from '#app/gallery/use-image-actions.tsx'
import { reportFailure } from '#app/limits/report-failure.tsx'
import { isTaken } from '#app/shell/key-command.ts'
import { mayFile, useSession } from '#app/shell/session.tsx'
import { toast } from '#app/ui/toast-queue.ts'
import { ImagePanel } from './image-panel.tsx'
import { Stage } from './stage.tsx'
import { useAwaited } from './use-awaited.ts'
import { useBrowse } from './use-browse.ts'
import { useCopyLink } from './use-copy-link.ts'

/** An image with its panel. Arrow keys browse, `c` copies the link, `f` marks a favourite, Delete moves it to trash, Escape goes back.
 *  The stage takes keys first, to zoom and to move a zoomed picture. */
export function ImageView({ initial }: { initial: ImageItem }) {
  const { image, previous, next, show, left, change, cameFromList, home } = useBrowse(initial)
  useAwaited(image, change)
  const { account, gallery } = useSession()
  const router = useRouter()
  const actions = useImageActions()
  const leave = () => (cameFromList() ? router.back() : router.push(home))
  // A guest who was given the link has no list to return to.
  const hasList = account !== null || gallery
  const mayTrash = rightsOver(account, image).trash && image.trashedAt === null

  const t = useTranslations('image')
  const client = useTRPCClient()
  const unlist = async () => {
    try {
      change(await client.image.update.mutate({ id: image.id, visibility: 'link' }))
      toast({ title: t('nowUnlisted') })
    } catch (error) {
      reportFailure(t('notUnlisted'), error, () => void unlist())
    }
  }
  const copyLink = useCopyLink(() => void unlist())

  const toggleFavourite = useFavourite(change)

  const trash = async () => {
    const neighbour = next ?? previous
    const trashed = await actions.trash([image])
    if (trashed.length === 0) return
    if (!neighbour) return leave()
    show(neighbour)
    left()
  }

  const press = useEffectEvent((event: KeyboardEvent) => {
    if (event.defaultPrevented || event.altKey || event.ctrlKey || event.metaKey || isTaken(event.target)) return
    if (event.target instanceof Element && event.target.closest('[role=radiogroup]')) return
    if (event.key === 'ArrowLeft' && previous) show(previous)
    if (event.key === 'ArrowRight' && next) show(next)
    if (event.key === 'Escape' && hasList) leave()
    if (event.key === 'c') copyLink([image])
    if (event.key === 'f' && mayFile(account)) void toggleFavourite(image)
    if ((event.key === 'Delete' || event.key === 'Backspace') && mayTrash) void trash()
  })
  useEffect(() => {
    const listen = (event: KeyboardEvent) => press(event)
    window.addEventListener('keydown', listen)
    return () => window.removeEventListener('keydown', listen)
  }, [])

  return (
    <div className="lg:-mb-16 lg:grid lg:grid-cols-[minmax(0,1fr)_22.5rem]">
      <Stage
        image={image}
        back={hasList ? leave : undefined}
        onPrevious={previous && (() => show(previous))}
        onNext={next && (() => show(next))}
      />
      <ImagePanel
        image={image}
        onChange={change}
        onCopy={() => copyLink([image])}
        onFavourite={() => void toggleFavourite(image)}
        onTrash={trash}
      />
    </div>
  )
}
