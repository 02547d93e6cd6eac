'use client'

import { useInfiniteQuery } from '@tanstack/react-query'
import { FolderPlus } from 'lucide-react'
import { type DragEvent, type ReactNode, useEffect, useEffectEvent, useState } from 'react'
import { useTranslations } from 'use-intl/react'
import type { ImageItem } from '#app/connection/trpc.ts'
import { CoverPicture } from '../cover.tsx'
import { useAlbumListOptions } from '../use-albums.ts'
import AddDialog from './add-dialog.tsx'
import { useAdding } from './use-adding.tsx'

/** More albums are in the dialog. */
const MOST = 7

interface Props {
  /** The images that are dragged. */
  images: readonly ImageItem[]
  /** Called when they are dropped elsewhere, or their dialog is closed. */
  onEnd: () => void
  onAdded: () => void
}

/** The albums that were changed last, on which dragged images can be dropped. */
export default function AlbumDock({ images, onEnd, onAdded }: Props) {
  const t = useTranslations('albums')
  const add = useAdding()
  const [isAsking, setAsking] = useState(false)
  const { data } = useInfiniteQuery(useAlbumListOptions('mine'))
  const albums = data?.pages[0]?.items.slice(0, MOST) ?? []
  useDragEnd(() => !isAsking && onEnd())
  if (isAsking) {
    const close = () => {
      onAdded()
      onEnd()
    }
    return <AddDialog images={images} onClose={close} />
  }
  return (
    <section
      aria-label={t('list')}
      className="fixed inset-x-2 bottom-4 z-30 mx-auto w-fit max-w-[calc(100vw-1rem)] animate-enter rounded-lg border border-line bg-raised p-3 shadow-raised"
    >
      <p className="px-1 pb-2 text-sm font-medium">{t('dropOn', { count: images.length })}</p>
      <ul className="flex gap-2 overflow-x-auto">
        <DropPlace label={t('create')} onDrop={() => setAsking(true)}>
          <span className="grid size-full place-items-center text-ink-soft">
            <FolderPlus size={26} strokeWidth={1.6} />
          </span>
        </DropPlace>
        {albums.map((album) => (
          <DropPlace
            key={album.id}
            label={album.title}
            onDrop={() => {
              void add(album, images)
              onAdded()
              onEnd()
            }}
          >
            <CoverPicture cover={album.cover} sizes="6rem" />
          </DropPlace>
        ))}
      </ul>
    </section>
  )
}

interface PlaceProps {
  label: string
  onDrop: () => void
  children: ReactNode
}

function DropPlace({ label, onDrop, children }: PlaceProps) {
  const [isOver, setOver] = useState(false)
  const allow = (event: DragEvent) => {
    event.preventDefault()
    event.dataTransfer.dropEffect = 'copy'
    setOver(true)
  }
  const drop = (event: DragEvent) => {
    event.preventDefault()
    onDrop()
  }
  return (
    <li
      onDragEnter={allow}
      onDragOver={allow}
      onDragLeave={() => setOver(false)}
      onDrop={drop}
      className={`w-24 shrink-0 rounded-md p-1 ${isOver ? 'bg-water/20 outline-2 -outline-offset-2 outline-water' : ''}`}
    >
      <span className="pointer-events-none block aspect-square overflow-hidden rounded-md bg-sunken">{children}</span>
      <span dir="auto" className="pointer-events-none block truncate pt-1 text-center text-xs">
        {label}
      </span>
    </li>
  )
}

/** Calls `onEnd` when nothing is dragged any more. A dragged tile that is removed fires no dragend, but the pointer moves. */
function useDragEnd(onEnd: () => void): void {
  const end = useEffectEvent(onEnd)
  useEffect(() => {
    const stop = new AbortController()
    for (const type of ['dragend', 'pointermove'] as const)
      window.addEventListener(type, () => end(), { signal: stop.signal })
    return () => stop.abort()
  }, [])
}
