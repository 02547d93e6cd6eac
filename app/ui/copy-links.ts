import { copyText } from './copy.ts'
import { toast } from './toast-queue.ts'
import type { Translate } from './translate.ts'

/** Copies links, one per line, and shows how many, or that the browser blocked it. */
export async function copyLinks(links: readonly string[], t: Translate<'ui'>): Promise<void> {
  try {
    await copyText(links.join('\n'))
    toast({ title: t('linksCopied', { count: links.length }) })
  } catch {
    toast({ title: t('copyBlocked') })
  }
}
