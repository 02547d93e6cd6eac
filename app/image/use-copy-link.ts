'use client'

import { useTranslations } from 'use-intl/react'
import type { ImageItem } from '#app/connection/trpc.ts'
import { rightsOver } from '#app/gallery/rights.ts'
import { useSession } from '#app/shell/session.tsx'
import { copyOrShow } from '#app/ui/copy.ts'
import { dismiss, toast } from '#app/ui/toast-queue.ts'
import { readLinkFormat } from './link-format.ts'
import { toLinked, writeLink } from './snippets.ts'

/** The key of the last toast. */
let shown: string | null = null

/**
 * Returns a function that copies the links of images in the browser's format, one per line, and shows what was copied. Of
 * private images it says that their links work for nobody else, and offers to change that by `unlist`.
 */
export function useCopyLink(unlist: (images: readonly ImageItem[]) => void): (images: readonly ImageItem[]) => void {
  const t = useTranslations('image')
  const { account } = useSession()
  const copy = async (images: readonly ImageItem[]) => {
    const format = readLinkFormat()
    const links = images.flatMap((image) => toLinked(image) ?? [])
    if (links.length === 0) return
    const isCopied = await copyOrShow(links.map((link) => writeLink(link, format)).join('\n'))
    // The toast of an earlier copy would cover the dialog for this one.
    if (shown !== null) dismiss(shown)
    if (!isCopied) return
    const title = t(`copied.${format}`, { count: links.length })
    const hidden = images.filter((image) => image.visibility === 'private')
    if (hidden.length === 0) {
      shown = toast({ title })
      return
    }
    const editable = hidden.filter((image) => rightsOver(account, image).edit)
    shown = toast({
      title,
      body: t('linkPrivate', { count: hidden.length, total: links.length }),
      ...(editable.length > 0 && { action: { label: t('makeUnlisted'), run: () => unlist(editable) } }),
    })
  }
  return (images) => void copy(images)
}
