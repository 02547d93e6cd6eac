'use client'

import { Check, ImageOff, RotateCw, X } from 'lucide-react'
import Link from 'next/link'
import { memo, useEffect, useState } from 'react'
import { ProgressBar } from 'react-aria-components'
import { CopyButton } from '#app/ui/copy-button.tsx'
import { IconButton } from '#app/ui/icon-button.tsx'
import { formatBytes } from '#format/bytes.ts'
import { cleanedOf } from './cleaned.ts'
import type { QueuedUpload } from './upload-queue.ts'
import type { HeldBy } from './upload-summary.ts'
import type { UploadActions } from './use-upload-queue.ts'

interface Props {
  upload: QueuedUpload
  /** What a file waits for, if not for its turn. */
  heldBy: HeldBy | null
  actions: UploadActions
}

/** One file: its picture, its name, how far it is, and what can be done about it. Of hundreds, only those that change are rendered. */
export const UploadRow = memo(function UploadRow({ upload, heldBy, actions }: Props) {
  const { id, file, progress } = upload
  return (
    <li className="flex items-center gap-3 rounded-md p-1.5">
      <Preview file={file} />
      <div className="min-w-0 flex-1">
        {progress.state === 'done' ? (
          <Link
            href={`/image/${progress.image.slug}`}
            prefetch={false}
            dir="auto"
            className="block truncate text-sm font-medium hover:underline"
          >
            {file.name}
          </Link>
        ) : (
          <p dir="auto" className="truncate text-sm font-medium">
            {file.name}
          </p>
        )}
        <Standing upload={upload} heldBy={heldBy} />
      </div>
      {progress.state === 'done' && <CopyButton text={progress.image.url} label={`Copy link of ${file.name}`} />}
      {progress.state === 'failed' && progress.canRetry && (
        <IconButton label={`Retry ${file.name}`} onPress={() => actions.retry(id)}>
          <RotateCw size={16} />
        </IconButton>
      )}
      {progress.state !== 'done' && (
        <IconButton
          label={`${progress.state === 'failed' ? 'Dismiss' : 'Cancel'} ${file.name}`}
          onPress={() => actions.remove(id)}
        >
          <X size={16} />
        </IconButton>
      )}
    </li>
  )
})

function Standing({ upload: { file, progress }, heldBy }: Pick<Props, 'upload' | 'heldBy'>) {
  if (progress.state === 'failed') {
    const reason = progress.isFull ? `No room for its ${formatBytes(file.size)}.` : progress.reason
    return <p className="text-[0.8125rem] leading-snug text-danger">{reason}</p>
  }
  if (progress.state === 'waiting') {
    return (
      <p className="text-[0.8125rem] text-ink-soft">
        {heldBy
          ? `Waits for ${heldBy === 'sign-in' ? 'your sign-in' : `the ${heldBy}`}`
          : `Waiting · ${formatBytes(file.size)}`}
      </p>
    )
  }
  if (progress.state === 'done') {
    const cleaned = cleanedOf(progress.image.removed)
    return (
      <>
        <p className="flex items-center gap-1 text-[0.8125rem] text-good">
          <Check size={14} /> {progress.isRepeat ? 'Already here' : 'Uploaded'}
        </p>
        {cleaned && !progress.isRepeat && (
          <p className="text-xs leading-snug text-ink-soft">Cleaned: {cleaned} removed</p>
        )}
      </>
    )
  }
  const percent = file.size === 0 ? 0 : Math.min(100, (progress.sent / file.size) * 100)
  return (
    <ProgressBar aria-label={`Upload of ${file.name}`} value={percent} className="flex h-5 items-center gap-2.5">
      <span className="h-1 flex-1 overflow-hidden rounded-full bg-line">
        <span
          className="block h-full rounded-full bg-water transition-[width] duration-150"
          style={{ width: `${percent}%` }}
        />
      </span>
      <span className="figures text-right text-[0.8125rem] text-ink-soft">
        {percent === 100 ? 'Checking' : `${Math.round(percent)} %`}
      </span>
    </ProgressBar>
  )
}

function Preview({ file }: { file: File }) {
  const [url, setUrl] = useState<string | null>(null)
  const [isBroken, setBroken] = useState(false)
  useEffect(() => {
    const fresh = URL.createObjectURL(file)
    setUrl(fresh)
    return () => URL.revokeObjectURL(fresh)
  }, [file])
  return (
    <span className="grid size-10 shrink-0 place-items-center overflow-hidden rounded-sm bg-sunken text-ink-soft">
      {url && !isBroken ? (
        <img
          src={url}
          alt=""
          loading="lazy"
          decoding="async"
          onError={() => setBroken(true)}
          className="size-full object-cover"
        />
      ) : (
        <ImageOff size={16} />
      )}
    </span>
  )
}
