'use client'

import { ChevronDown, ChevronUp, Copy, RotateCw, X } from 'lucide-react'
import { useState } from 'react'
import { useTranslations } from 'use-intl/react'
import { RefusalNotice } from '#app/limits/refusal-notice.tsx'
import { Button } from '#app/ui/button.tsx'
import { Confirm } from '#app/ui/confirm.tsx'
import { copyLinks } from '#app/ui/copy-links.ts'
import { IconButton } from '#app/ui/icon-button.tsx'
import { count } from '#format/counts.ts'
import { NoRoom } from './no-room.tsx'
import { SignedOut } from './signed-out.tsx'
import { UploadRows } from './upload-rows.tsx'
import { type HeldBy, heldByOf, leftOver, linksOf, type Summary, summarise } from './upload-summary.ts'
import { useUploads } from './uploads.tsx'

/** What is on its way, what has arrived and what has not, at the foot of every page. */
export function UploadTray() {
  const uploads = useUploads()
  const [isFolded, setFolded] = useState(false)
  const [isAsking, setAsking] = useState(false)
  if (!uploads || uploads.queue.uploads.length === 0) return <p role="status" className="sr-only" />
  const { queue, actions } = uploads
  const summary = summarise(queue)
  const links = linksOf(queue)
  const { retriable, missing } = leftOver(queue)
  const isFull = queue.uploads.some(({ progress }) => progress.state === 'failed' && progress.isFull)
  const heldBy = heldByOf(queue)
  return (
    <section
      aria-label="Uploads"
      className="fixed inset-x-2 bottom-[4.25rem] z-30 animate-enter overflow-hidden rounded-lg border border-line bg-raised shadow-raised sm:inset-x-auto sm:right-5 sm:bottom-5 sm:w-96"
    >
      <header className="flex h-12 items-center gap-1 pr-1.5 pl-4">
        <p className="figures min-w-0 flex-1 truncate text-sm font-semibold">{headline(summary)}</p>
        <p role="status" className="sr-only">
          {spoken(summary, heldBy)}
        </p>
        {retriable > 1 && (
          <Button tone="quiet" size="small" onPress={actions.retryAll}>
            <RotateCw size={15} />
            <span>
              Retry<span className="max-sm:sr-only"> all</span>
            </span>
          </Button>
        )}
        {links.length > 0 && summary.open === 0 && <CopyLinks links={links} isBrief={retriable > 1} />}
        <IconButton label={isFolded ? 'Show files' : 'Hide files'} onPress={() => setFolded(!isFolded)}>
          {isFolded ? <ChevronUp size={17} /> : <ChevronDown size={17} />}
        </IconButton>
        <IconButton label="Close" onPress={missing > 0 ? () => setAsking(true) : actions.empty}>
          <X size={17} />
        </IconButton>
      </header>
      <div className="h-0.5 bg-line">
        <div
          className="h-full bg-water transition-[width] duration-200"
          style={{ width: `${summary.fraction * 100}%` }}
        />
      </div>
      {heldBy === 'sign-in' && <SignedOut onReturn={actions.signedIn} />}
      {heldBy === 'server' && (
        <p className="m-2 rounded-md bg-gate-soft px-3 py-2.5 text-sm text-ink">
          The server is away or busy. Uploads go on by themselves.
        </p>
      )}
      {isFull && <NoRoom />}
      {queue.hold && <RefusalNotice refusal={queue.hold} resumes className="m-2" />}
      {!isFolded && <UploadRows queue={queue} heldBy={heldBy} actions={actions} />}
      <Confirm
        isOpen={isAsking && missing > 0}
        title={`Leave ${count(missing, 'file')} out?`}
        action="Leave out"
        onClose={() => setAsking(false)}
        onConfirm={actions.empty}
      >
        What has not been uploaded yet is forgotten here. What has been stays.
      </Confirm>
    </section>
  )
}

function CopyLinks({ links, isBrief }: { links: readonly string[]; isBrief: boolean }) {
  const label = links.length === 1 ? 'Copy link' : 'Copy links'
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

function headline({ total, done, images, failed, open }: Summary): string {
  if (open > 0) return `Uploading ${Math.min(total, done + failed + 1)} of ${total}`
  if (failed === 0) return `${count(images, 'image')} uploaded`
  return done === 0 ? `${count(failed, 'file')} not uploaded` : `${images} uploaded, ${failed} not`
}

/** Changes only when a batch begins, is held, and ends: progress itself is for the eye. */
function spoken({ total, images, failed, open }: Summary, heldBy: HeldBy | null): string {
  if (open > 0 && heldBy === 'sign-in') return 'You are signed out. Uploads go on once you have signed in again.'
  if (open > 0 && heldBy === 'server') return 'The server is away or busy. Uploads go on by themselves.'
  if (open > 0)
    return heldBy ? 'Uploads wait for a limit and go on by themselves.' : `Uploading ${count(total, 'file')}.`
  return failed === 0 ? `${count(images, 'image')} uploaded.` : `${images} uploaded, ${failed} failed.`
}
