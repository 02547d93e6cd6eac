import { tokenRequests } from '#server/accounts/tokens/token-limits.ts'
import type { Viewer } from '#server/accounts/viewer.ts'
import type { ByteRequest } from '#server/images/byte-request.ts'
import { revalidation } from '#server/images/limits.ts'
import { SMALL_WIDTH } from '#server/images/variant.ts'
import type { LimitRequest } from '#server/limits/charges.ts'
import { type CompiledRuleSet, countsTogether } from '#server/limits/rules/compiled.ts'
import { type DeclaredRoute, setsOf } from '#server/limits/rules/declared-route.ts'
import type { AnyCaller } from '#server/limits/subject.ts'
import { type LimitedShare, shareBytes, shareRequest } from '#server/sharing/limits.ts'
import { imageRoutes, tokenBytes } from '../limits.ts'

/** The rule sets that a call of one kind is charged: all of its route, and the parts that are charged separately. */
export interface CallKind {
  readonly route: DeclaredRoute
  /** Charged for a request that may be answered without a body, before its image is looked up. */
  readonly checks: readonly CompiledRuleSet[]
  /** Charged for any other, before its image is looked up, and for a check once there is a body to send. */
  readonly calls: readonly CompiledRuleSet[]
  /** Charged for a body: the counts that all clients share, and the bytes. */
  readonly bytes: readonly CompiledRuleSet[]
  /** Charged for a call that is known to have a body: `calls` and `bytes`. */
  readonly whole: readonly CompiledRuleSet[]
}

const isForBody = ({ facts }: CompiledRuleSet): boolean => facts.unit === 'bytes' || countsTogether(facts)

function makeCallKind(route: DeclaredRoute): CallKind {
  const checks = setsOf(route, revalidation)
  const whole = route.sets.filter((set) => !checks.includes(set))
  return { route, checks, calls: whole.filter((set) => !isForBody(set)), bytes: whole.filter(isForBody), whole }
}

const kinds = {
  original: makeCallKind(imageRoutes.original),
  small: makeCallKind(imageRoutes.small),
  large: makeCallKind(imageRoutes.large),
}

/** Returns the kind of a call: originals, large variants and small variants cost differently. */
export function chooseCallKind({ width }: ByteRequest): CallKind {
  if (width === null) return kinds.original
  return width > SMALL_WIDTH ? kinds.large : kinds.small
}

/** Who is charged for one image. */
export interface ImageCharges {
  readonly kind: CallKind
  readonly asked: ByteRequest
  readonly caller: AnyCaller
  /** Whether no limits apply. */
  readonly isExempt: boolean
  /** The holder of the token that is charged in addition, if there is one. */
  readonly tokenHolder: Viewer | null
  /** The share that the request comes through, which is charged in addition, if there is one. */
  readonly share?: LimitedShare | null
}

/** Returns the charges for the call itself, which `isCheck` if it may be answered without a body. */
export function callRequests(charges: ImageCharges, { isCheck }: { isCheck: boolean }): readonly LimitRequest[] {
  const { kind, asked, caller, isExempt, tokenHolder } = charges
  if (isExempt) return []
  const sets = isCheck ? kind.checks : kind.calls
  return [{ procedure: kind.route.label, sets, caller, input: asked }, ...tokenRequests(tokenHolder, 'read')]
}

/** Returns the charges for a check that has a body after all; its token has been charged. */
export function bodyRequests({ kind, asked, caller, isExempt }: ImageCharges): readonly LimitRequest[] {
  return isExempt ? [] : [{ sets: kind.calls, caller, input: asked }]
}

/** Returns the charges for the bytes that are about to be sent. What all visitors of a share have together is charged here alone, for
 *  answers with a body. */
export function byteRequests(charges: ImageCharges, bytes: number): readonly LimitRequest[] {
  const { kind, asked, caller, isExempt, tokenHolder, share } = charges
  if (isExempt) return []
  const own = { sets: kind.bytes, caller, input: asked, bytes }
  const ofShare = share ? [shareRequest(share, caller), shareBytes(share, caller, bytes)] : []
  return [own, ...tokenBytes(tokenHolder, bytes), ...ofShare]
}
