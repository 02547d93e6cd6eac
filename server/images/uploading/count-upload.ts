import { Refused } from '#server/errors/refused.ts'
import { uploadOutcomes } from '#server/metrics/declared.ts'
import type { Metrics } from '#server/metrics/metrics.ts'
import { BudgetSpent } from '#server/storage/meter.ts'

type Outcome = (typeof uploadOutcomes)[number]

/** Receives and stores an upload, and counts what becomes of it. */
export async function countUpload<Answer extends { readonly isNew: boolean }>(
  metrics: Metrics,
  upload: () => Promise<Answer>,
): Promise<Answer> {
  const count = (outcome: Outcome) => metrics.add('sluice_uploads_total', outcome)
  try {
    const answer = await upload()
    count(answer.isNew ? 'stored' : 'known')
    return answer
  } catch (error) {
    count(findOutcome(error))
    throw error
  }
}

/** Errors of one outcome differ in what follows its name: `too-large-unknown`. */
function findOutcome(error: unknown): Outcome {
  if (error instanceof BudgetSpent) return 'refused'
  const cause = error instanceof Error ? error.cause : null
  if (!(cause instanceof Refused)) return 'failed'
  const code = cause.text?.code ?? ''
  return uploadOutcomes.find((outcome) => code === outcome || code.startsWith(`${outcome}-`)) ?? 'refused'
}
