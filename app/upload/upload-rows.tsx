'use client'

import { useState } from 'react'
import { LoadMore } from '#app/ui/load-more.tsx'
import type { UploadQueue } from './upload-queue.ts'
import { UploadRow } from './upload-row.tsx'
import { inDisplayOrder, type PauseReason } from './upload-summary.ts'
import type { UploadActions } from './use-upload-queue.ts'

// Rendering hundreds of rows at once blocks the page for half a second.
const rowsAtOnce = 50

interface Props {
  queue: UploadQueue
  pauseReason: PauseReason | null
  actions: UploadActions
}

/** The files of a queue. Long queues render more rows as they are scrolled. */
export function UploadRows({ queue, pauseReason, actions }: Props) {
  const [shown, setShown] = useState(rowsAtOnce)
  return (
    <div className="max-h-[40vh] overflow-y-auto overscroll-contain p-2">
      <ul>
        {inDisplayOrder(queue)
          .slice(0, shown)
          .map((upload) => (
            <UploadRow key={upload.id} upload={upload} pauseReason={pauseReason} actions={actions} />
          ))}
      </ul>
      <LoadMore key={shown} isWanted={queue.uploads.length > shown} onNear={() => setShown(shown + rowsAtOnce)} />
    </div>
  )
}
