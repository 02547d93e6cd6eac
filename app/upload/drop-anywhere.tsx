'use client'

import { useEffect, useEffectEvent, useState } from 'react'
import { isTaken } from '#app/shell/key-command.ts'
import { Mark } from '#app/ui/mark.tsx'
import { toast } from '#app/ui/toast-queue.ts'
import { addressOf } from './address-of.ts'
import { filesOf, unreadWords } from './dropped-files.ts'
import { useUploads } from './uploads.tsx'

const hasFiles = ({ types }: DataTransfer): boolean => types.includes('Files')

const tellOfAddress = (transfer: DataTransfer) => {
  if (addressOf(transfer, window.location.origin) === null) return
  toast({ title: 'Nothing is fetched from an address. Copy the picture itself, or save it and drop the file.' })
}

/** Takes files dropped anywhere on the page and pictures pasted into it; of an address it says what to do instead. */
export function DropAnywhere() {
  const uploads = useUploads()
  const [isOver, setOver] = useState(false)
  const take = useEffectEvent(async (transfer: DataTransfer) => {
    const { files, unread } = await filesOf(transfer)
    if (unread.length > 0) toast({ title: unreadWords(unread) })
    if (files.length > 0) await uploads?.actions.add(files)
  })
  useEffect(() => {
    const stop = new AbortController()
    const listen = <K extends keyof WindowEventMap>(type: K, handle: (event: WindowEventMap[K]) => void) =>
      window.addEventListener(type, handle, { signal: stop.signal })
    // What is dragged from this page itself, as a tile, is here already. A tile that goes meanwhile ends no drag, but then the pointer moves again.
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
      // Left alone, the browser would open a dropped link in the place of the page.
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
      else tellOfAddress(dataTransfer)
    })
    listen('paste', ({ clipboardData, target }) => {
      if (!clipboardData) return
      if (hasFiles(clipboardData)) void take(clipboardData)
      else if (!isTaken(target)) tellOfAddress(clipboardData)
    })
    return () => stop.abort()
  }, [])
  if (!isOver) return null
  return (
    <div className="pointer-events-none fixed inset-0 z-50 animate-fade bg-ground/85 p-4 backdrop-blur-[2px]">
      <div className="flex size-full flex-col items-center justify-center gap-4 rounded-lg border-2 border-dashed border-water text-center">
        <Mark className="size-14" />
        <p className="text-xl font-semibold">Let go to upload</p>
      </div>
    </div>
  )
}
