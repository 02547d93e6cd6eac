'use client'

import { type ReactNode, useEffect, useEffectEvent, useRef } from 'react'
import { acceptedFiles } from './check-file.ts'
import { useUploads } from './uploads.tsx'

/** Calls `children` with what opens the file picker. */
export function UploadTrigger({ children }: { children: (open: () => void) => ReactNode }) {
  const uploads = useUploads()
  const input = useRef<HTMLInputElement>(null)
  const take = (chosen: HTMLInputElement) => {
    const files = [...(chosen.files ?? [])]
    // Otherwise choosing the same file again would change nothing.
    chosen.value = ''
    if (files.length > 0) void uploads?.actions.add(files)
  }
  const takeEarly = useEffectEvent(() => {
    if (input.current) take(input.current)
  })
  const isReady = uploads !== null
  // Files may have been chosen before there was script to hear it.
  useEffect(() => {
    if (isReady) takeEarly()
  }, [isReady])
  return (
    <>
      <input
        ref={input}
        type="file"
        multiple
        accept={acceptedFiles.join(',')}
        hidden
        onChange={({ currentTarget }) => take(currentTarget)}
      />
      {children(() => input.current?.click())}
    </>
  )
}
