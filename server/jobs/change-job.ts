import { z } from 'zod'
import { type Actor, toActor, writeAudit } from '#server/audit/audit.ts'
import { transact } from '#server/database/transact.ts'
import { refuse } from '#server/errors/refuse.ts'
import type { Services } from '#server/services.ts'
import { superadminProcedure } from '#server/trpc/init.ts'
import { isQueuedOrActive, lockJob, readFailure } from './job-rows.ts'
import { jobChange } from './limits.ts'

const input = z.strictObject({ id: z.uuid() })

/** Runs a waiting or failed job now. */
export const retryJob = superadminProcedure
  .meta({ limits: jobChange, audit: 'job.retry' })
  .input(input)
  .mutation(({ ctx, input }) => changeJob(ctx.app, toActor(ctx), { ...input, change: 'retry' }))

/** Deletes a job that is not running. Its work stays undone until something else requests it. */
export const discardJob = superadminProcedure
  .meta({ limits: jobChange, audit: 'job.discard' })
  .input(input)
  .mutation(({ ctx, input }) => changeJob(ctx.app, toActor(ctx), { ...input, change: 'discard' }))

async function changeJob(
  { db, jobs }: Services,
  actor: Actor,
  { id, change }: { readonly id: string; readonly change: 'retry' | 'discard' },
): Promise<Record<string, never>> {
  const changed = await transact(db, async (tx) => {
    const job = await lockJob(tx, id)
    if (!job || job.state === 'completed' || job.state === 'cancelled') throw refuse('job-not-found')
    const { name, state, attempts, output } = job
    if (state === 'active') throw refuse('job-active')
    if (change === 'retry' && state === 'failed' && (await isQueuedOrActive(tx, name))) throw refuse('job-duplicate')
    await jobs[change](tx, job)
    const before = { state, attempts, error: readFailure(output)?.message ?? null }
    await writeAudit(tx, actor, { action: `job.${change}`, target: `${name}/${id}`, before, after: null })
    return name
  })
  jobs.wake(changed)
  return {}
}
