'use client'

import { useTranslations } from 'use-intl/react'
import { useTRPCClient } from '#app/connection/trpc.ts'
import { reportFailure } from '#app/limits/report-failure.tsx'
import { toast } from '#app/ui/toast-queue.ts'
import { type TagItem, useTagRefresh } from './use-tags.ts'

/** Images per call; the server's maximum. */
const AT_ONCE = 100

/** Deletes a tag, with Undo if few enough images had it. */
export function useDeleteTag(): (tag: TagItem) => Promise<void> {
  const t = useTranslations('tags')
  const client = useTRPCClient()
  const refresh = useTagRefresh()
  const giveBack = async (name: string, images: readonly string[]): Promise<void> => {
    try {
      for (let at = 0; at < images.length; at += AT_ONCE) {
        await client.tag.add.mutate({ images: images.slice(at, at + AT_ONCE), tags: [name] })
      }
      toast({ title: t('restored', { tag: name }) })
    } catch (error) {
      reportFailure(t('notRestored', { tag: name }), error, () => void giveBack(name, images))
    }
    await refresh()
  }
  return async function remove(tag) {
    try {
      const { name, images } = await client.tag.delete.mutate({ id: tag.id })
      await refresh()
      const title = t('deleted', { tag: name })
      // A tag without images is nothing to give back.
      const canUndo = images !== null && images.length > 0
      toast({
        title,
        ...(canUndo && { action: { label: t('undo'), run: () => void giveBack(name, images) } }),
      })
    } catch (error) {
      reportFailure(t('notDeleted', { tag: tag.name }), error, () => void remove(tag))
    }
  }
}
