'use client'

import type { ImageItem } from '#app/connection/trpc.ts'
import { late } from '#app/ui/late.tsx'

const AddDialog = late(() => import('./add-dialog.tsx'))

interface Props {
  /** The images to add; null while the dialog is closed. */
  images: readonly ImageItem[] | null
  onClose: () => void
}

/** A dialog that adds images to an album, loaded when it opens. */
export function AddToAlbum({ images, onClose }: Props) {
  if (!images) return null
  return <AddDialog images={images} onClose={onClose} />
}
