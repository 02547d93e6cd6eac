'use client'

import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslations } from 'use-intl/react'
import { type Inputs, useTRPCClient } from '#app/connection/trpc.ts'
import { reportFailure } from '#app/limits/report-failure.tsx'
import { toast } from '#app/ui/toast-queue.ts'
import { changeWithUndo } from '../change-with-undo.ts'
import { REPORTS, type ReportItem } from './use-reports.ts'

export type ReportAct = Inputs['report']['resolve']['act']

export interface ReportActions {
  /** Decides about a report. What can be undone is done at once, with a way back. */
  readonly decide: (report: ReportItem, act: ReportAct, reason?: string) => void
  readonly reopen: (report: ReportItem) => void
  /** The report whose decision is in progress. */
  readonly busy: string | null
}

/** Decides about reports, then reloads the lists. */
export function useReportActions(): ReportActions {
  const t = useTranslations('adminReports')
  const tAdmin = useTranslations('admin')
  const client = useTRPCClient()
  const queryClient = useQueryClient()
  const [busy, setBusy] = useState<string | null>(null)
  const refresh = () => queryClient.invalidateQueries({ queryKey: REPORTS })
  const during = async (id: string, work: () => Promise<unknown>, title: string, again: () => void) => {
    setBusy(id)
    try {
      await work()
    } catch (error) {
      await refresh()
      reportFailure(title, error, again)
    } finally {
      setBusy(null)
    }
  }
  const decide: ReportActions['decide'] = (report, act, reason) => {
    const { id, owner } = report
    const run = () => client.report.resolve.mutate({ id, act, ...(reason && { reason }) })
    const done = () => t(`done.${act}`, { username: owner.username })
    const isFinal = act === 'hide' || act === 'ban'
    const work = async () => {
      if (!isFinal) {
        const undo = () => client.report.reopen.mutate({ id })
        return changeWithUndo(tAdmin, { refresh, run, done, undo })
      }
      await run()
      await refresh()
      toast({ title: done() })
    }
    void during(id, work, t('failed'), () => decide(report, act, reason))
  }
  const reopen: ReportActions['reopen'] = (report) => {
    const work = async () => {
      await client.report.reopen.mutate({ id: report.id })
      await refresh()
      toast({ title: t('reopened') })
    }
    void during(report.id, work, t('reopenFailed'), () => reopen(report))
  }
  return { decide, reopen, busy }
}
