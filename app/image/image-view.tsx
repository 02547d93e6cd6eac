'use client'

import { useRouter } from 'next/navigation'
import { useEffect, useEffectEvent } from 'react'
import type { ImageItem } from '#app/connection/trpc.ts'
import { useImageActions } from '#app/gallery/use-image-actions.tsx'
import { isTaken } from '#app/shell/key-command.ts'
import { ImagePanel } from './image-panel.tsx'
import { Stage } from './stage.tsx'
import { useBrowse } from './use-browse.ts'

/** An image on its stage, with everything known about it and everything to be done with it beside. */
export function ImageView({ initial }: { initial: ImageItem }) {
  const { image, previous, next, show, change, cameFromList } = useBrowse(initial)
  const router = useRouter()
  const actions = useImageActions()
  const leave = () => (cameFromList ? router.back() : router.push('/'))

  const trash = async () => {
    const neighbour = next ?? previous
    const trashed = await actions.trash([image])
    if (trashed.length === 0) return
    if (neighbour) show(neighbour)
    else leave()
  }

  const press = useEffectEvent((event: KeyboardEvent) => {
    if (event.defaultPrevented || event.altKey || event.ctrlKey || event.metaKey || isTaken(event.target)) return
    if (event.target instanceof Element && event.target.closest('[role=radiogroup]')) return
    if (event.key === 'ArrowLeft' && previous) show(previous)
    if (event.key === 'ArrowRight' && next) show(next)
    if (event.key === 'Escape') leave()
  })
  useEffect(() => {
    const listen = (event: KeyboardEvent) => press(event)
    window.addEventListener('keydown', listen)
    return () => window.removeEventListener('keydown', listen)
  }, [])

  return (
    <div className="lg:grid lg:grid-cols-[minmax(0,1fr)_22.5rem]">
      <Stage
        key={image.id}
        image={image}
        onLeave={leave}
        onPrevious={previous && (() => show(previous))}
        onNext={next && (() => show(next))}
      />
      <ImagePanel key={`panel ${image.id}`} image={image} onChange={change} onTrash={trash} />
    </div>
  )
}
