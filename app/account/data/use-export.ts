'use client'

import { useEffect, useRef, useState } from 'react'
import { useTRPCClient } from '#app/connection/trpc.ts'
import { findRefusal, type RefusedCall } from '#app/limits/refusal.ts'
import { useAccount } from '#app/shell/session.tsx'
import { downloadPart, ZipRefused } from './download-part.ts'
import { type ExportProgress, keepProgress, readProgress, START } from './export-progress.ts'

/** The part that is being downloaded. */
interface Running {
  readonly part: number
  /** Bytes received of it. */
  readonly received: number
  /** Images and bytes of the whole export; null until the server has said. */
  readonly total: { readonly images: number; readonly bytes: number } | null
}

type State =
  | { readonly kind: 'idle' }
  | ({ readonly kind: 'running' } & Running)
  | { readonly kind: 'waiting'; readonly refusal: RefusedCall }
  | { readonly kind: 'failed'; readonly error: unknown }
  | { readonly kind: 'done'; readonly parts: number }

/** Downloads everything that belongs to the account, part by part. Waits for limits, and continues where it was interrupted. */
export function useExport() {
  const client = useTRPCClient()
  const { userId } = useAccount()
  const [progress, setProgress] = useState(START)
  const [state, setState] = useState<State>({ kind: 'idle' })
  const running = useRef<AbortController | null>(null)
  useEffect(() => {
    setProgress(readProgress(userId))
    return () => running.current?.abort()
  }, [userId])
  const move = (next: ExportProgress) => {
    setProgress(next)
    keepProgress(userId, next)
  }

  const runPart = async (at: ExportProgress, signal: AbortSignal): Promise<ExportProgress | null> => {
    const { part, after } = at
    setState({ kind: 'running', part, received: 0, total: null })
    const asked = await client.image.exportPart.mutate({ part, ...(after !== null && { after }) }, { signal })
    const images = at.images + asked.images
    const bytes = at.bytes + asked.bytes
    const total = { images: images + asked.left.images, bytes: bytes + asked.left.bytes }
    const onProgress = (received: number) => setState({ kind: 'running', part, received, total })
    const day = new Date().toISOString().slice(0, 10)
    const name = part === 1 && asked.next === null ? `sluice-export-${day}.zip` : `sluice-export-${day}-part-${part}.zip`
    await downloadPart(asked.url, name, { signal, onProgress })
    return asked.next === null ? null : { part: part + 1, after: asked.next, images, bytes }
  }

  const run = async (from: ExportProgress) => {
    running.current?.abort()
    const { signal } = (running.current = new AbortController())
    let at = from
    try {
      for (let next: ExportProgress | null = at; next; ) {
        at = next
        move(at)
        next = await runPart(at, signal)
      }
      move(START)
      setState({ kind: 'done', parts: at.part })
    } catch (error) {
      if (signal.aborted) return setState({ kind: 'idle' })
      const refusal = error instanceof ZipRefused ? error.refusal : findRefusal(error)
      setState(refusal ? { kind: 'waiting', refusal } : { kind: 'failed', error })
    }
  }
  return {
    state,
    progress,
    start: () => void run(START),
    resume: () => void run(progress),
    cancel: () => {
      running.current?.abort()
      setState({ kind: 'idle' })
    },
  }
}
