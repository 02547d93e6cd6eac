'use client'

import { ChevronDown, ChevronUp, Copy, Pause, Play, RotateCw, X } from 'lucide-react'
import { useState } from 'react'
import { useTranslations } from 'use-intl/react'
import { RefusalNotice } from '#app/limits/refusal-notice.tsx'
import { Button } from '#app/ui/button.tsx'
import { Confirm } from '#app/ui/confirm.tsx'
import { copyLinks } from '#app/ui/copy-links.ts'
import { IconButton } from '#app/ui/icon-button.tsx'
import type { Translate } from '#app/ui/translate.ts'
import { FolderAlbum } from './folder-album.tsx'
import { SignedOut } from './signed-out.tsx'
import { StorageFull } from './storage-full.tsx'
import { UploadRows } from './upload-rows.tsx'
import {
  findPauseReason,
  leftOver,
  listLinks,
  type PauseReason,
  summarise,
  type UploadSummary,
} from './upload-summary.ts'
import type { Uploads } from './uploads.tsx'

/** The uploads in progress, done and failed, at the bottom of every page. */
export default function UploadTray({ uploads: { queue, actions, folder, dismissFolder } }: { uploads: Uploads }) {
  const t = useTranslations('upload')
  const [isFolded, setFolded] = useState(false)
  const [isAsking, setAsking] = useState(false)
  const summary = summarise(queue)
  const links = listLinks(queue)
  const { retriable, missing } = leftOver(queue)
  const isFull = queue.uploads.some(({ progress }) => progress.state === 'failed' && progress.problem.code === 'full')
  const pauseReason = findPauseReason(queue)
  const isPaused = summary.open === 0
  return (
    <section
      aria-label={t('uploads')}
      data-uploads
      className="fixed inset-x-2 bottom-[4.25rem] z-30 animate-enter overflow-hidden rounded-lg border border-line bg-raised shadow-raised sm:inset-x-auto sm:right-5 sm:bottom-5 sm:w-96"
    >
      <header className="flex min-h-12 items-center gap-1 py-1 pr-1.5 pl-4">
        <p className="figures min-w-0 flex-1 text-sm leading-tight font-semibold">{headline(summary, t)}</p>
        <p role="status" className="sr-only">
          {announcement(summary, pauseReason, t)}
        </p>
        {retriable > 1 && (
          <Button tone="quiet" size="small" onPress={actions.retryAll}>
            <RotateCw size={15} />
            <span>{t.rich('retryAll', { more: (text) => <span className="max-sm:sr-only">{text}</span> })}</span>
          </Button>
        )}
        {summary.open + summary.paused > 0 && (
          <IconButton
            label={t(isPaused ? 'resumeAll' : 'pauseAll')}
            onPress={() => (isPaused ? actions.resume(null) : actions.pause(null))}
          >
            {isPaused ? <Play size={16} /> : <Pause size={16} />}
          </IconButton>
        )}
        {links.length > 0 && summary.open + summary.paused === 0 && (
          <CopyLinks links={links} isBrief={retriable > 1 || summary.added < summary.done} />
        )}
        <IconButton label={t(isFolded ? 'showFiles' : 'hideFiles')} onPress={() => setFolded(!isFolded)}>
          {isFolded ? <ChevronUp size={17} /> : <ChevronDown size={17} />}
        </IconButton>
        <IconButton label={t('close')} onPress={missing > 0 ? () => setAsking(true) : actions.empty}>
          <X size={17} />
        </IconButton>
      </header>
      <div className="h-0.5 bg-line">
        <div
          className="h-full bg-water transition-[width] duration-200"
          style={{ width: `${summary.fraction * 100}%` }}
        />
      </div>
      {pauseReason === 'sign-in' && <SignedOut onReturn={actions.signedIn} />}
      {pauseReason === 'server' && (
        <p className="m-2 rounded-md bg-gate-soft px-3 py-2.5 text-sm text-ink">{t('paused.server')}</p>
      )}
      {isFull && <StorageFull />}
      {queue.hold && <RefusalNotice refusal={queue.hold} resumes className="m-2" />}
      {folder && <FolderAlbum key={folder.name} folder={folder} queue={queue} onDismiss={dismissFolder} />}
      {!isFolded && <UploadRows queue={queue} pauseReason={pauseReason} actions={actions} />}
      <Confirm
        isOpen={isAsking && missing > 0}
        title={t('discardTitle', { count: missing })}
        action={t('discard')}
        onClose={() => setAsking(false)}
        onConfirm={actions.empty}
      >
        {t('discardText')}
      </Confirm>
    </section>
  )
}

function CopyLinks({ links, isBrief }: { links: readonly string[]; isBrief: boolean }) {
  const t = useTranslations('upload')
  const label = t('copyLinks', { count: links.length })
  const ui = useTranslations('ui')
  const copy = () => copyLinks(links, ui)
  if (isBrief)
    return (
      <IconButton label={label} onPress={copy}>
        <Copy size={15} />
      </IconButton>
    )
  return (
    <Button tone="quiet" size="small" onPress={copy}>
      <Copy size={15} /> {label}
    </Button>
  )
}

function headline({ total, done, added, failed, open, paused }: UploadSummary, t: Translate<'upload'>): string {
  if (open > 0) return t('uploading', { current: Math.min(total, done + failed + 1), total })
  if (paused > 0) return t('pausedSome', { paused, done })
  if (done === 0) return t('notUploaded', { count: failed })
  if (added < done) return t('uploadedKnown', { added, known: done - added, failed })
  return failed === 0 ? t('uploaded', { count: added }) : t('uploadedSome', { uploaded: added, failed })
}

/** The text for screen readers. It changes only when a batch begins, pauses or ends, not with its progress. */
function announcement(summary: UploadSummary, pauseReason: PauseReason | null, t: Translate<'upload'>): string {
  if (summary.open === 0) return headline(summary, t)
  return pauseReason ? t(`paused.${pauseReason}`) : t('uploadingSpoken', { count: summary.total })
}
