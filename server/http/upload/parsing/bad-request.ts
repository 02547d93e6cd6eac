import { TRPCError } from '@trpc/server'
import { refuse } from '#server/errors/refuse.ts'

/** What is wrong with a request, before or while its files are read. */
type Problem =
  | 'bad-base64'
  | 'bad-form'
  | 'bad-json'
  | 'incomplete'
  | 'no-boundary'
  | 'no-file'
  | 'no-token'
  | 'no-url'
  | 'request-too-large'
  | 'too-many-fields'
  | 'too-many-files'
  | 'unsupported-content-type'

/** A request that no client should send. */
export class BadRequest extends TRPCError {
  override name = 'BadRequest'
  readonly problem: Problem

  /** `refusal` says more than the problem alone. */
  constructor(problem: Problem, refusal: TRPCError = refuse(problem)) {
    super(refusal)
    this.problem = problem
  }
}
