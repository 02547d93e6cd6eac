'use client'

import { useRef, useState } from 'react'
import { useTranslations } from 'use-intl/react'
import { useTRPCClient } from '#app/connection/trpc.ts'
import { reportFailure } from '#app/limits/report-failure.tsx'
import { saveText } from '#app/ui/save.ts'
import { toast } from '#app/ui/toast-queue.ts'
import { type ShownFilter, toAuditInput } from './shown-filter.ts'

const TYPES = { csv: 'text/csv;charset=utf-8', json: 'application/json' } as const

/** Exports part by part, and saves the file at the end. `entries` is null while none runs. */
export function useAuditExport(filter: ShownFilter) {
  const t = useTranslations('audit')
  const client = useTRPCClient()
  const [entries, setEntries] = useState<number | null>(null)
  const running = useRef<AbortController | null>(null)

  const run = async (format: 'csv' | 'json', signal: AbortSignal) => {
    const { export: exportPart } = client.audit
    let part = await exportPart.mutate({ ...toAuditInput(filter, Date.now()), format }, { signal })
    const texts = [part.text]
    let count = part.entries
    for (; part.rest !== null; count += part.entries) {
      setEntries(count)
      part = await exportPart.mutate({ rest: part.rest }, { signal })
      texts.push(part.text)
    }
    saveText(texts, { name: `audit-${new Date().toISOString().slice(0, 10)}.${format}`, type: TYPES[format] })
    return count
  }

  const start = async (format: 'csv' | 'json'): Promise<void> => {
    const controller = new AbortController()
    running.current = controller
    setEntries(0)
    try {
      const count = await run(format, controller.signal)
      toast({ title: t('exported', { count }) })
    } catch (error) {
      if (!controller.signal.aborted) reportFailure(t('exportFailed'), error, () => start(format))
    }
    setEntries(null)
  }
  return { entries, start, cancel: () => running.current?.abort() }
}
