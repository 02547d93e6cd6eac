'use client'

import { useEffect, useEffectEvent, useState } from 'react'
import { useTranslations } from 'use-intl/react'
import { isTaken } from '#app/shell/key-command.ts'
import { Mark } from '#app/ui/mark.tsx'
import { toast } from '#app/ui/toast-queue.ts'
import { useFormat } from '#app/ui/use-format.ts'
import { findDroppedAddress } from './dropped-address.ts'
import { describeUnread, readDroppedFiles } from './dropped-files.ts'
import { useShownTarget } from './upload-target.ts'
import { useUploads } from './uploads.tsx'

const hasFiles = ({ types }: DataTransfer): boolean => types.includes('Files')

/** Uploads files dropped anywhere on the page and images pasted into it. For a link it explains what to do instead. */
export function DropAnywhere() {
  const t = useTranslations('upload')
  const format = useFormat()
  const uploads = useUploads()
  const [isOver, setOver] = useState(false)
  const target = useShownTarget()
  const take = useEffectEvent(async (transfer: DataTransfer) => {
    const { files, unread, folder } = await readDroppedFiles(transfer)
    if (unread.length > 0) toast({ title: describeUnread(unread, t, format) })
    await uploads?.take(files, folder)
  })
  const explainLink = useEffectEvent((transfer: DataTransfer) => {
    if (findDroppedAddress(transfer, window.location.origin) !== null) toast({ title: t('linkDropped') })
  })
  useEffect(() => {
    const stop = new AbortController()
    const listen = <K extends keyof WindowEventMap>(type: K, handle: (event: WindowEventMap[K]) => void) =>
      window.addEventListener(type, handle, { signal: stop.signal })
    // Images dragged from this page are not uploaded again. If the dragged tile is removed, no dragend fires, but the pointer moves.
    let isOwn = false
    listen('dragstart', () => {
      isOwn = true
    })
    for (const end of ['dragend', 'pointermove'] as const)
      listen(end, () => {
        isOwn = false
      })
    listen('dragover', (event) => {
      const { dataTransfer, target } = event
      if (isOwn || !dataTransfer) return
      const isForPage = hasFiles(dataTransfer)
      // Otherwise the browser would open a dropped link and leave the page.
      if (!isForPage && (isTaken(target) || !dataTransfer.types.includes('text/uri-list'))) return
      event.preventDefault()
      dataTransfer.dropEffect = 'copy'
      if (isForPage) setOver(true)
    })
    listen('dragleave', (event) => {
      if (event.relatedTarget === null) setOver(false)
    })
    listen('drop', (event) => {
      const { dataTransfer, target } = event
      setOver(false)
      if (isOwn || !dataTransfer) return
      const isForPage = hasFiles(dataTransfer)
      if (!isForPage && isTaken(target)) return
      event.preventDefault()
      if (isForPage) void take(dataTransfer)
      else explainLink(dataTransfer)
    })
    listen('paste', ({ clipboardData, target }) => {
      if (!clipboardData) return
      if (hasFiles(clipboardData)) void take(clipboardData)
      else if (!isTaken(target)) explainLink(clipboardData)
    })
    return () => stop.abort()
  }, [])
  if (!isOver) return null
  return (
    <div className="pointer-events-none fixed inset-0 z-50 animate-fade bg-ground/85 p-4 backdrop-blur-[2px]">
      <div className="flex size-full flex-col items-center justify-center gap-4 rounded-lg border-2 border-dashed border-water text-center">
        <Mark className="size-14" />
        <p className="text-xl font-semibold">{target ? t('dropInto', { title: target.title }) : t('dropHere')}</p>
      </div>
    </div>
  )
}
