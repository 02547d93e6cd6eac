'use client'

import type { ReactElement } from 'react'
import { FileTrigger } from 'react-aria-components'
import { acceptedFiles } from './check-file.ts'
import { useUploads } from './uploads.tsx'

/** Wraps a button that opens the file picker. */
export function UploadTrigger({ children }: { children: ReactElement }) {
  const uploads = useUploads()
  return (
    <FileTrigger
      allowsMultiple
      acceptedFileTypes={acceptedFiles}
      onSelect={(files) => files && files.length > 0 && void uploads?.actions.add([...files])}
    >
      {children}
    </FileTrigger>
  )
}
