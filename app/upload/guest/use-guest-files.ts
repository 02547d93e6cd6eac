'use client'

import { useState } from 'react'
import { useTranslations } from 'use-intl/react'
import { useSession } from '#app/shell/session.tsx'
import { checkFile } from '../check-file.ts'
import type { UploadProblem } from '../problem.ts'
import { type GuestFailure, type GuestImage, sendAsGuest } from './send-as-guest.ts'

/** A file of this page, in the order in which it was added. */
export interface GuestFile {
  readonly key: number
  readonly file: File
  readonly state:
    | { readonly kind: 'waiting' }
    | { readonly kind: 'sending'; readonly part: number }
    | { readonly kind: 'done'; readonly image: GuestImage }
    | { readonly kind: 'bad'; readonly problem: UploadProblem }
    | { readonly kind: 'failed'; readonly error: GuestFailure; readonly canRetry: boolean }
}

let keys = 0

/** Sends files one after the other. A refusal keeps the file, so that it can be sent again. */
export function useGuestFiles() {
  const t = useTranslations('failures')
  const { maxUploadBytes } = useSession()
  const [files, setFiles] = useState<readonly GuestFile[]>([])
  const [queue] = useState(() => ({ last: Promise.resolve() }))
  const put = (key: number, state: GuestFile['state']) =>
    setFiles((all) => all.map((each) => (each.key === key ? { ...each, state } : each)))
  const send = async ({ key, file }: Pick<GuestFile, 'key' | 'file'>) => {
    const problem = await checkFile(file, maxUploadBytes)
    if (problem) return put(key, { kind: 'bad', problem })
    put(key, { kind: 'sending', part: 0 })
    const onProgress = (sent: number) => put(key, { kind: 'sending', part: file.size === 0 ? 1 : sent / file.size })
    const outcome = await sendAsGuest(file, { onProgress, offline: t('offline'), unknown: t('unknown') })
    put(key, outcome)
  }
  const enqueue = (file: Pick<GuestFile, 'key' | 'file'>) => {
    queue.last = queue.last.then(() => send(file))
  }
  return {
    files,
    add(added: readonly File[]) {
      const made = added.map((file) => ({ key: ++keys, file, state: { kind: 'waiting' } }) as const)
      setFiles((all) => [...all, ...made])
      for (const each of made) enqueue(each)
    },
    again(file: GuestFile) {
      put(file.key, { kind: 'waiting' })
      enqueue(file)
    },
  }
}
