'use client'

import { useState } from 'react'
import { LoadMore } from '#app/ui/load-more.tsx'
import type { UploadQueue } from './upload-queue.ts'
import { UploadRow } from './upload-row.tsx'
import { type HeldBy, inOrderOfInterest } from './upload-summary.ts'
import type { UploadActions } from './use-upload-queue.ts'

// Hundreds of rows at once would hold the page up for half a second.
const rowsAtOnce = 50

interface Props {
  queue: UploadQueue
  heldBy: HeldBy | null
  actions: UploadActions
}

/** The files of a queue; of many the first, and more as they are scrolled to. */
export function UploadRows({ queue, heldBy, actions }: Props) {
  const [shown, setShown] = useState(rowsAtOnce)
  return (
    <div className="max-h-[40vh] overflow-y-auto overscroll-contain p-2">
      <ul>
        {inOrderOfInterest(queue)
          .slice(0, shown)
          .map((upload) => (
            <UploadRow key={upload.id} upload={upload} heldBy={heldBy} actions={actions} />
          ))}
      </ul>
      <LoadMore key={shown} isWanted={queue.uploads.length > shown} onNear={() => setShown(shown + rowsAtOnce)} />
    </div>
  )
}
