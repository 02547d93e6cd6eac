'use client'

import { Upload } from 'lucide-react'
import { useSession } from '#app/shell/session.tsx'
import { Button } from '#app/ui/button.tsx'
import { formatBytes } from '#app/ui/format.ts'
import { Mark } from '#app/ui/mark.tsx'
import { formatNames } from '#app/upload/check-file.ts'
import { UploadTrigger } from '#app/upload/upload-button.tsx'
import type { Scope } from './use-image-list.ts'

/** A list without images: of one's own, an invitation. Nobody drops files with a finger. */
export function Empty({ scope }: { scope: Scope }) {
  const { account, maxUploadBytes } = useSession()
  if (scope !== 'mine' || !account) {
    return (
      <div className="flex min-h-[50vh] flex-col items-center justify-center gap-3 text-center text-ink-soft">
        <Mark className="size-10" />
        <p>{scope === 'gallery' ? 'Nothing is public yet.' : 'Nobody has uploaded anything yet.'}</p>
      </div>
    )
  }
  return (
    <div className="flex min-h-[58vh] flex-col items-center justify-center gap-5 rounded-lg border-2 border-dashed border-line px-6 py-12 text-center">
      <Mark className="size-14" />
      <div>
        <h2 className="text-xl font-semibold">
          <span className="pointer-coarse:hidden">Drop images here</span>
          <span className="hidden pointer-coarse:inline">No images yet</span>
        </h2>
        <p className="mt-1.5 text-balance text-ink-soft">
          <span className="pointer-coarse:hidden">
            Anywhere on the page, a whole folder too, or paste one from the clipboard.
            <br />
          </span>
          {formatNames}, <span className="whitespace-nowrap">up to {formatBytes(maxUploadBytes)} each.</span>
        </p>
      </div>
      <UploadTrigger>
        <Button tone="primary">
          <Upload size={17} /> Choose files
        </Button>
      </UploadTrigger>
    </div>
  )
}
