import { count } from '#format/counts.ts'
import { copyText } from './copy.ts'
import { toast } from './toast-queue.ts'

/** Copies links, one a line, and says how many, or that the browser did not let it. */
export async function copyLinks(links: readonly string[]): Promise<void> {
  try {
    await copyText(links.join('\n'))
    toast({ title: `${count(links.length, 'link')} copied.` })
  } catch {
    toast({ title: 'The browser did not allow copying. Allow it for this site, then try again.' })
  }
}
