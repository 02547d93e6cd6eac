'use client'

import { lazy, Suspense } from 'react'
import type { ImageItem } from '#app/connection/trpc.ts'

const AddDialog = lazy(() => import('./add-dialog.tsx').then((module) => ({ default: module.AddDialog })))

interface Props {
  /** The images to add; null while the dialog is closed. */
  images: readonly ImageItem[] | null
  onClose: () => void
}

/** A dialog that adds images to an album, loaded when it opens. */
export function AddToAlbum({ images, onClose }: Props) {
  if (!images) return null
  return (
    <Suspense fallback={null}>
      <AddDialog images={images} onClose={onClose} />
    </Suspense>
  )
}
