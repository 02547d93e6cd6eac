'use client'

import { useTranslations } from 'use-intl/react'
import { type ImageItem, useTRPCClient } from '#app/connection/trpc.ts'
import { reportFailure } from '#app/limits/report-failure.tsx'

/** Marks an image as a favourite or removes the mark: shown at once by `onChange`, and taken back if it fails. */
export function useFavourite(onChange: (image: ImageItem) => void): (image: ImageItem) => Promise<void> {
  const t = useTranslations('gallery')
  const client = useTRPCClient()
  return async function toggle(image) {
    const favourite = !image.favourite
    onChange({ ...image, favourite })
    try {
      await client.image.favourite.mutate({ id: image.id, favourite }, { context: { limit: { waitUpToMs: 4000 } } })
    } catch (error) {
      onChange(image)
      reportFailure(t('favouriteFailed'), error, () => void toggle(image))
    }
  }
}
