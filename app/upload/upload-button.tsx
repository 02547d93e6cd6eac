'use client'

import type { ReactElement } from 'react'
import { FileTrigger } from 'react-aria-components'
import { acceptedTypes } from './check-file.ts'
import { useUploads } from './uploads.tsx'

/** Opens the file picker; wraps the button that asks for it. */
export function UploadTrigger({ children }: { children: ReactElement }) {
  const uploads = useUploads()
  return (
    <FileTrigger
      allowsMultiple
      acceptedFileTypes={acceptedTypes}
      onSelect={(files) => files && files.length > 0 && uploads?.actions.add([...files])}
    >
      {children}
    </FileTrigger>
  )
}
