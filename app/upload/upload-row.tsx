'use client'

import { Check, ImageOff, Pause, Play, RotateCw, X } from 'lucide-react'
import Link from 'next/link'
import { memo, useEffect, useRef, useState } from 'react'
import { ProgressBar } from 'react-aria-components'
import { useTranslations } from 'use-intl/react'
import { CopyButton } from '#app/ui/copy-button.tsx'
import { IconButton } from '#app/ui/icon-button.tsx'
import { useFormat } from '#app/ui/use-format.ts'
import { shownKinds } from './cleaned.ts'
import { ProblemText } from './problem-text.tsx'
import { isMoving, type QueuedUpload } from './upload-queue.ts'
import { isAdded, type PauseReason } from './upload-summary.ts'
import type { UploadActions } from './use-upload-queue.ts'

interface Props {
  upload: QueuedUpload
  /** Why waiting files are paused; null while they wait for their turn. */
  pauseReason: PauseReason | null
  actions: UploadActions
}

/** One file with its preview, status and actions. Memoized: a queue can hold hundreds. */
export const UploadRow = memo(function UploadRow({ upload, pauseReason, actions }: Props) {
  const t = useTranslations('upload')
  const { id, file, progress } = upload
  const { name } = file
  const isFailed = progress.state === 'failed'
  const isPaused = progress.state === 'paused'
  const row = useRef<HTMLLIElement>(null)
  const remove = () => {
    const { nextElementSibling, previousElementSibling } = row.current ?? {}
    const buttons = (nextElementSibling ?? previousElementSibling)?.querySelectorAll('button') ?? []
    // Otherwise the focus is lost with the row.
    Array.from(buttons).at(-1)?.focus()
    actions.remove(id)
  }
  return (
    <li ref={row} className="flex items-center gap-3 rounded-md p-1.5">
      <Preview file={file} />
      <div className="min-w-0 flex-1">
        {progress.state === 'done' ? (
          <Link
            href={`/image/${progress.image.slug}`}
            prefetch={false}
            dir="auto"
            className="block truncate text-sm font-medium hover:underline"
          >
            {name}
          </Link>
        ) : (
          <p dir="auto" className="truncate text-sm font-medium">
            {name}
          </p>
        )}
        <Status upload={upload} pauseReason={pauseReason} />
      </div>
      {progress.state === 'done' && <CopyButton text={progress.image.url} label={t('copyLink', { name })} />}
      {progress.state === 'failed' && progress.canRetry && (
        <IconButton label={t('retry', { name })} onPress={() => actions.retry(id)}>
          <RotateCw size={16} />
        </IconButton>
      )}
      {(isPaused || (isMoving(progress) && !isProcessing(upload))) && (
        <IconButton
          label={t(isPaused ? 'resume' : 'pause', { name })}
          onPress={() => (isPaused ? actions.resume(id) : actions.pause(id))}
        >
          {isPaused ? <Play size={16} /> : <Pause size={16} />}
        </IconButton>
      )}
      {progress.state !== 'done' && (
        <IconButton label={t(isFailed ? 'dismiss' : 'cancel', { name })} onPress={remove}>
          <X size={16} />
        </IconButton>
      )}
    </li>
  )
})

/** Whether all of it is sent. */
const isProcessing = ({ file, progress }: QueuedUpload): boolean =>
  progress.state === 'sending' && progress.sent >= file.size

function Status({ upload, pauseReason }: Pick<Props, 'upload' | 'pauseReason'>) {
  const { file, progress } = upload
  const t = useTranslations('upload')
  const format = useFormat()
  if (progress.state === 'failed') {
    return (
      <p className="text-[0.8125rem] leading-snug text-danger">
        <ProblemText problem={progress.problem} size={file.size} />
      </p>
    )
  }
  if (progress.state === 'paused') {
    return <p className="text-[0.8125rem] text-ink-soft">{t('pausedFile', { size: format.bytes(file.size) })}</p>
  }
  if (progress.state === 'waiting') {
    return (
      <p className="text-[0.8125rem] text-ink-soft">
        {pauseReason ? t(`waitingFor.${pauseReason}`) : t('waiting', { size: format.bytes(file.size) })}
      </p>
    )
  }
  if (progress.state === 'done') {
    const kinds = shownKinds(progress.image.removed).map((kind) => t(`removedKind.${kind}`))
    return (
      <>
        <p className="flex items-center gap-1 text-[0.8125rem] text-good">
          <Check size={14} className="shrink-0" />{' '}
          {t(isAdded(upload) ? (progress.image.isConverted ? 'doneConverted' : 'done') : 'known')}
        </p>
        {kinds.length > 0 && isAdded(upload) && (
          <p className="text-xs leading-snug text-ink-soft">{t('removed', { kinds: format.list(kinds) })}</p>
        )}
      </>
    )
  }
  const percent = file.size === 0 ? 0 : Math.min(100, (progress.sent / file.size) * 100)
  return (
    <ProgressBar
      aria-label={t('progress', { name: file.name })}
      value={percent}
      className="flex h-5 items-center gap-2.5"
    >
      <span className="h-1 flex-1 overflow-hidden rounded-full bg-line">
        <span
          className="block h-full rounded-full bg-water transition-[width] duration-150"
          style={{ width: `${percent}%` }}
        />
      </span>
      <span className="figures text-right text-[0.8125rem] text-ink-soft">
        {percent === 100 ? t('processing') : t('percent', { percent: Math.round(percent) })}
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
