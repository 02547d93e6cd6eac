'use client'

import { useEffect, useEffectEvent, useMemo, useReducer, useRef } from 'react'
import { useCountdown } from '#app/limits/use-countdown.ts'
import { checkFile } from './check-file.ts'
import { isReachable } from './probe.ts'
import { sendFile } from './send-file.ts'
import { emptyQueue, type QueuedUpload, reduceQueue, toStart, type Uploaded, type UploadQueue } from './upload-queue.ts'
import { readUploadTarget } from './upload-target.ts'

const atOnce = 2
const readAtOnce = 50

export interface UploadActions {
  /** Resolves once the files are in the queue. They go into `album`, by its ID; by default into the one whose page is open. */
  add(files: readonly File[], album?: string | null): Promise<void>
  /** Removes an upload, and aborts it if it is in progress. */
  remove(id: string): void
  /** Stops uploads until they are resumed: one, or all that are not done. They hold no place on the server. */
  pause(id: string | null): void
  resume(id: string | null): void
  retry(id: string): void
  retryAll(): void
  /** Resumes after a sign-in. */
  signedIn(): void
  /** Aborts and removes all uploads. */
  empty(): void
}

interface Options {
  maxBytes: number
  onUploaded: (image: Uploaded, album: string | null) => void
}

/** Uploads two files at once. Pauses for a limit or while the server is unavailable, and resumes by itself. */
export function useUploadQueue({ maxBytes, onUploaded }: Options): { queue: UploadQueue; actions: UploadActions } {
  const [queue, dispatch] = useReducer(reduceQueue, emptyQueue)
  const running = useRef(new Map<string, AbortController>())
  const uploaded = useEffectEvent(onUploaded)

  const send = useEffectEvent(async ({ id, file, album = null }: QueuedUpload) => {
    const controller = new AbortController()
    running.current.set(id, controller)
    dispatch({ type: 'started', id })
    const answer = await sendFile(file, {
      album,
      signal: controller.signal,
      onProgress: (sent) => dispatch({ type: 'sent', id, sent }),
    })
    running.current.delete(id)
    if (answer.kind === 'signedOut') return dispatch({ type: 'signedOut', id })
    if (answer.kind === 'refused') return dispatch({ type: 'refused', id, refusal: answer.refusal })
    if (answer.kind === 'lost')
      return dispatch({ type: 'lost', id, isBroken: answer.isBroken, retryAfterMs: answer.retryAfterMs })
    if (answer.kind === 'failed') {
      const { kind, ...why } = answer
      return dispatch({ type: kind, id, ...why })
    }
    dispatch({ type: 'done', id, image: answer.image })
    uploaded(answer.image, album)
  })

  useEffect(() => {
    for (const upload of toStart(queue, atOnce)) {
      if (!running.current.has(upload.id)) void send(upload)
    }
  }, [queue])

  const wait = useCountdown(queue.hold?.until ?? null)
  useEffect(() => {
    if (queue.hold && wait === 0) dispatch({ type: 'resumed' })
  }, [queue.hold, wait])

  const { outage } = queue
  useEffect(() => {
    if (!outage || outage.isAnswering) return
    let isCurrent = true
    const timer = setTimeout(async () => {
      const reachable = await isReachable()
      if (isCurrent) dispatch({ type: 'probed', isReachable: reachable })
    }, outage.waitMs)
    return () => {
      isCurrent = false
      clearTimeout(timer)
    }
  }, [outage])

  const actions = useMemo<UploadActions>(
    () => ({
      add: async (files, album = readUploadTarget()?.id ?? null) =>
        dispatch({ type: 'added', uploads: await entries(files, { maxBytes, album }) }),
      remove: (id) => {
        stop(running.current, id)
        dispatch({ type: 'removed', id })
      },
      pause: (id) => {
        stop(running.current, id)
        dispatch({ type: 'paused', id })
      },
      resume: (id) => dispatch({ type: 'unpaused', id }),
      retry: (id) => dispatch({ type: 'retried', id }),
      retryAll: () => dispatch({ type: 'allRetried' }),
      signedIn: () => dispatch({ type: 'signedIn' }),
      empty: () => {
        stop(running.current, null)
        dispatch({ type: 'emptied' })
      },
    }),
    [maxBytes],
  )
  return { queue, actions }
}

/** Aborts one upload, or all. */
function stop(running: Map<string, AbortController>, id: string | null): void {
  for (const [key, controller] of running) {
    if (id !== null && key !== id) continue
    controller.abort()
    running.delete(key)
  }
}

interface Terms {
  readonly maxBytes: number
  readonly album: string | null
}

/** Checks the files in groups, because starting to read hundreds at once blocks the page. */
async function entries(files: readonly File[], terms: Terms): Promise<readonly QueuedUpload[]> {
  const uploads: QueuedUpload[] = []
  for (let at = 0; at < files.length; at += readAtOnce)
    uploads.push(...(await Promise.all(files.slice(at, at + readAtOnce).map((file) => entry(file, terms)))))
  return uploads
}

async function entry(file: File, { maxBytes, album }: Terms): Promise<QueuedUpload> {
  const problem = await checkFile(file, maxBytes)
  return {
    id: nextId(),
    file,
    album,
    progress: problem ? { state: 'failed', problem, canRetry: false } : { state: 'waiting' },
  }
}

let last = 0
const nextId = (): string => `upload-${++last}`
