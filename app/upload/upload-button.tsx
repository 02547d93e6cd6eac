'use client'

import { type ReactNode, useEffect, useEffectEvent, useRef } from 'react'
import { acceptedFiles } from './check-file.ts'
import { readChosenFolder } from './dropped-files.ts'
import { useUploads } from './uploads.tsx'

/** What opens the picker of files, and that of a folder. */
interface Pickers {
  readonly files: () => void
  readonly folder: () => void
}

/** An attribute that React's types do not know. */
const folderOnly = { webkitdirectory: '' }

/** Calls `children` with what opens the pickers. */
export function UploadTrigger({ children }: { children: (open: Pickers) => ReactNode }) {
  const uploads = useUploads()
  const input = useRef<HTMLInputElement>(null)
  const folderInput = useRef<HTMLInputElement>(null)
  const take = (chosen: HTMLInputElement) => {
    const files = [...(chosen.files ?? [])]
    // Otherwise choosing the same file again would change nothing.
    chosen.value = ''
    const { files: shown, folder } = chosen.webkitdirectory ? readChosenFolder(files) : { files, folder: null }
    void uploads?.take(shown, folder)
  }
  const takeEarly = useEffectEvent(() => {
    if (input.current) take(input.current)
  })
  const isReady = uploads !== null
  // Files may have been chosen before there was script to hear it.
  useEffect(() => {
    if (isReady) takeEarly()
  }, [isReady])
  const hidden = {
    type: 'file',
    multiple: true,
    hidden: true,
    onChange: ({ currentTarget }: { currentTarget: HTMLInputElement }) => take(currentTarget),
  }
  return (
    <>
      <input ref={input} {...hidden} accept={acceptedFiles.join(',')} />
      <input ref={folderInput} {...hidden} {...folderOnly} />
      {children({ files: () => input.current?.click(), folder: () => folderInput.current?.click() })}
    </>
  )
}
