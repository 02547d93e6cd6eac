'use client'

import { useTranslations } from 'use-intl/react'
import { useErrorMessage } from '#app/limits/use-error-message.ts'
import type { Translate } from '#app/ui/translate.ts'
import { useFormat } from '#app/ui/use-format.ts'
import type { Formats } from '#format/formats.ts'
import type { UploadProblem } from './problem.ts'

/** Why a file was not uploaded, as a sentence. `size` is the file's, in bytes. */
export function ProblemText({ problem, size }: { problem: UploadProblem; size: number }): string {
  const t = useTranslations('upload')
  const tFailures = useTranslations('failures')
  const format = useFormat()
  const errorMessage = useErrorMessage()
  if (problem.code === 'refused') return errorMessage(problem.error)
  if (problem.code !== 'fault') return describeProblem(problem, size, t, format)
  const { requestId } = problem
  const sentence = t('problem.fault')
  return requestId === null ? sentence : tFailures('report', { sentence, requestId })
}

type OwnProblem = Exclude<UploadProblem, { code: 'refused' | 'fault' }>

/** Puts a problem that the page found into a sentence. */
export function describeProblem(problem: OwnProblem, size: number, t: Translate<'upload'>, format: Formats): string {
  if (problem.code === 'full') return t('problem.full', { size: format.bytes(size) })
  if (problem.code !== 'tooLarge') return t(`problem.${problem.code}`)
  const [tooLarge, limit] = format.bytesApart(problem.size, problem.limit)
  return t('problem.tooLarge', { size: tooLarge, limit })
}
