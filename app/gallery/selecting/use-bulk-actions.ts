'use client'

import { useMemo } from 'react'
import { useTranslations } from 'use-intl/react'
import { reportFailure } from '#app/limits/report-failure.tsx'
import { useListCache } from '../use-image-list.ts'
import type { BulkAction, ImageItems } from './bulk-action.ts'

/** Runs actions on images, by script that is loaded when there is one. */
export function useBulkActions() {
  const t = useTranslations('gallery')
  const cache = useListCache()
  return useMemo(() => {
    /** Returns the images that were changed, as they are afterwards. */
    async function run(images: ImageItems, bulk: BulkAction): Promise<ImageItems> {
      try {
        const { runBulk } = await import('./bulk-work.tsx')
        return await runBulk(images, bulk, cache, t)
      } catch (error) {
        cache.add(images)
        reportFailure(t(bulk.failed, { count: images.length }), error, () => bulk.retry(images))
        return []
      }
    }
    return { run, hide: cache.hide }
  }, [cache, t])
}
