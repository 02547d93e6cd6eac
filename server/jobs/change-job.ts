import { TRPCError } from '@trpc/server'
import { z } from 'zod'
import { type Actor, actorOf, writeAudit } from '#server/audit/audit.ts'
import { transact } from '#server/database/transact.ts'
import type { Services } from '#server/services.ts'
import { superadminProcedure } from '#server/trpc/init.ts'
import { errorMessage, isQueuedOrActive, lockJob } from './job-rows.ts'
import { jobChange } from './limits.ts'

const input = z.strictObject({ id: z.uuid() })

const refusals = {
  gone: ['NOT_FOUND', 'There is no such job any more: it may have been done meanwhile.'],
  active: ['PRECONDITION_FAILED', 'The job is under way.'],
  another: ['CONFLICT', 'Another of them waits or is under way: it runs once at a time.'],
} as const

/** Runs a waiting or failed job now. */
export const retryJob = superadminProcedure
  .meta({ limits: jobChange })
  .input(input)
  .mutation(({ ctx, input }) => changeJob(ctx.app, actorOf(ctx), { ...input, change: 'retry' }))

/** Deletes a job that is not running. Its work stays undone until something else requests it. */
export const discardJob = superadminProcedure
  .meta({ limits: jobChange })
  .input(input)
  .mutation(({ ctx, input }) => changeJob(ctx.app, actorOf(ctx), { ...input, change: 'discard' }))

async function changeJob(
  { db, jobs }: Services,
  actor: Actor,
  { id, change }: { readonly id: string; readonly change: 'retry' | 'discard' },
): Promise<Record<string, never>> {
  const outcome: { readonly name: string } | { readonly refused: keyof typeof refusals } = await transact(
    db,
    async (tx) => {
      const job = await lockJob(tx, id)
      if (!job || job.state === 'completed' || job.state === 'cancelled') return { refused: 'gone' }
      const { name, state, attempts, output } = job
      if (state === 'active') return { refused: 'active' }
      if (change === 'retry' && state === 'failed' && (await isQueuedOrActive(tx, name))) return { refused: 'another' }
      await jobs[change](tx, job)
      const before = { state, attempts, error: errorMessage(output) }
      await writeAudit(tx, actor, { action: `job.${change}`, target: `${name}/${id}`, before, after: null })
      return { name }
    },
  )
  if ('refused' in outcome) {
    const [code, message] = refusals[outcome.refused]
    throw new TRPCError({ code, message })
  }
  jobs.wake(outcome.name)
  return {}
}
