import { copyOrShow } from './copy.ts'
import { toast } from './toast-queue.ts'
import type { Translate } from './translate.ts'

/** Copies links, one per line, and shows how many. */
export async function copyLinks(links: readonly string[], t: Translate<'ui'>): Promise<void> {
  if (await copyOrShow(links.join('\n'))) toast({ title: t('linksCopied', { count: links.length }) })
}
