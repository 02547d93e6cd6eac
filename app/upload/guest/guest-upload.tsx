'use client'

import { Upload } from 'lucide-react'
import { type DragEvent, type MouseEvent, useEffect, useEffectEvent, useRef, useState } from 'react'
import { useTranslations } from 'use-intl/react'
import { useSession } from '#app/shell/session.tsx'
import { buttonClass } from '#app/ui/button-class.ts'
import { useFormat } from '#app/ui/use-format.ts'
import type { SentFile } from '#server/http/upload/answers/sent-cookie.ts'
import { acceptedFiles } from '../check-file.ts'
import { GuestRow } from './guest-row.tsx'
import { SentFiles } from './sent-files.tsx'
import { useGuestFiles } from './use-guest-files.ts'

interface Props {
  /** Whether an admin looks at each image first. */
  readonly isApproved: boolean
  readonly days: number
  /** What a form without script has sent. */
  readonly sent: readonly SentFile[]
  /** Of the site's addresses. */
  readonly origin: string
}

/** Guests choose, drop or paste images. Without script, or before it has loaded, the browser posts the form. */
export function GuestUpload({ isApproved, days, sent, origin }: Props) {
  const t = useTranslations('guestUpload')
  const format = useFormat()
  const { maxUploadBytes, site } = useSession()
  const { files, add, again } = useGuestFiles()
  const [isOver, setOver] = useState(false)
  const field = useRef<HTMLInputElement>(null)
  // Files that were chosen before the script was there.
  const takeChosen = () => {
    const chosen = [...(field.current?.files ?? [])]
    if (field.current) field.current.value = ''
    if (chosen.length > 0) add(chosen)
  }
  const openPicker = (event: MouseEvent) => {
    if (field.current?.files?.length) return
    event.preventDefault()
    field.current?.click()
  }
  const paste = useEffectEvent((event: ClipboardEvent) => {
    const pasted = [...(event.clipboardData?.files ?? [])]
    if (pasted.length > 0) add(pasted)
  })
  useEffect(() => {
    const listen = (event: ClipboardEvent) => paste(event)
    window.addEventListener('paste', listen)
    return () => window.removeEventListener('paste', listen)
  }, [])
  const drag = (event: DragEvent, over: boolean) => {
    event.preventDefault()
    setOver(over)
  }
  const drop = (event: DragEvent) => {
    drag(event, false)
    add([...event.dataTransfer.files])
  }
  return (
    <div className="mx-auto flex max-w-2xl flex-col gap-6 px-5 py-8">
      <div className="flex flex-col gap-2">
        <h1 className="text-2xl font-semibold tracking-[-0.02em]">{t('titleOn', { site: site.name })}</h1>
        <p className="text-ink-soft">
          {format.sentences([t('lead', { days }), ...(isApproved ? [t('leadApproval')] : [])])}
        </p>
      </div>
      <form
        action="/upload"
        method="post"
        encType="multipart/form-data"
        onSubmit={(event) => {
          event.preventDefault()
          takeChosen()
        }}
        onDragOver={(event) => drag(event, true)}
        onDragLeave={(event) => drag(event, false)}
        onDrop={drop}
        className={`flex flex-col gap-4 rounded-lg border-2 border-dashed p-6 ${isOver ? 'border-water bg-water-soft' : 'border-line-strong bg-surface'}`}
      >
        <label className="flex flex-col gap-1.5">
          <span className="text-sm font-medium">{t('choose')}</span>
          <input
            ref={field}
            type="file"
            name="file"
            multiple
            required
            accept={acceptedFiles.join(',')}
            onChange={takeChosen}
            className="w-full min-w-0 rounded-md border border-line-strong bg-surface px-3 py-2 text-ink file:mr-3 file:rounded-sm file:border-0 file:bg-sunken file:px-3 file:py-1 file:text-ink"
          />
        </label>
        <p className="text-sm text-ink-soft">{t('hint', { size: format.bytes(maxUploadBytes) })}</p>
        <button type="submit" onClick={openPicker} className={`${buttonClass('primary')} self-start`}>
          <Upload size={17} /> {t('upload')}
        </button>
      </form>
      {files.length > 0 && (
        <section className="flex flex-col gap-3">
          <h2 className="text-sm font-semibold">{t('yours')}</h2>
          <p className="text-sm text-ink-soft">{t('keep')}</p>
          <ul aria-label={t('yours')} className="flex flex-col gap-3">
            {files.map((file) => (
              <GuestRow key={file.key} file={file} onAgain={() => again(file)} />
            ))}
          </ul>
        </section>
      )}
      {files.length === 0 && sent.length > 0 && <SentFiles files={sent} origin={origin} />}
    </div>
  )
}
