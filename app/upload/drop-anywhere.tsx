'use client'

import { useEffect, useEffectEvent, useState } from 'react'
import { Mark } from '#app/ui/mark.tsx'
import { filesOf } from './dropped-files.ts'
import { useUploads } from './uploads.tsx'

const hasFiles = (transfer: DataTransfer | null): transfer is DataTransfer => Boolean(transfer?.types.includes('Files'))

/** Takes files dropped anywhere on the page and pictures pasted into it. */
export function DropAnywhere() {
  const uploads = useUploads()
  const [isOver, setOver] = useState(false)
  const take = useEffectEvent(async (transfer: DataTransfer) => {
    const files = await filesOf(transfer)
    if (files.length > 0) await uploads?.actions.add(files)
  })
  useEffect(() => {
    const stop = new AbortController()
    const listen = <K extends keyof WindowEventMap>(type: K, handle: (event: WindowEventMap[K]) => void) =>
      window.addEventListener(type, handle, { signal: stop.signal })
    listen('dragover', (event) => {
      if (!hasFiles(event.dataTransfer)) return
      event.preventDefault()
      event.dataTransfer.dropEffect = 'copy'
      setOver(true)
    })
    listen('dragleave', (event) => {
      if (event.relatedTarget === null) setOver(false)
    })
    listen('drop', (event) => {
      setOver(false)
      if (!hasFiles(event.dataTransfer)) return
      event.preventDefault()
      void take(event.dataTransfer)
    })
    listen('paste', (event) => {
      if (hasFiles(event.clipboardData)) void take(event.clipboardData)
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
