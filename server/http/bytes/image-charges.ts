import { tokenRequests } from '#server/accounts/tokens/token-limits.ts'
import type { Viewer } from '#server/accounts/viewer.ts'
import type { ByteRequest } from '#server/images/byte-request.ts'
import { SMALL_WIDTH } from '#server/images/variant.ts'
import type { LimitRequest } from '#server/limits/charges.ts'
import type { CompiledRuleSet } from '#server/limits/rules/compiled.ts'
import type { DeclaredRoute } from '#server/limits/rules/declared-route.ts'
import type { AnyCaller } from '#server/limits/subject.ts'
import { imageRoutes, tokenBytes } from '../limits.ts'

/** The rule sets that a call of one kind is charged: all of its route, and the parts that are charged separately. */
export interface CallKind {
  readonly route: DeclaredRoute
  /** Charged whatever is sent, before an image is looked up. */
  readonly calls: readonly CompiledRuleSet[]
  /** Charged for the bytes that are sent. */
  readonly bytes: readonly CompiledRuleSet[]
}

const countsBytes = ({ facts }: CompiledRuleSet): boolean => facts.unit === 'bytes'

const makeCallKind = (route: DeclaredRoute): CallKind => ({
  route,
  calls: route.sets.filter((set) => !countsBytes(set)),
  bytes: route.sets.filter(countsBytes),
})

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
}

/** Returns the charges for the call itself. */
export function callRequests({ kind, asked, caller, isExempt, tokenHolder }: ImageCharges): readonly LimitRequest[] {
  if (isExempt) return []
  return [{ sets: kind.calls, caller, input: asked }, ...tokenRequests(tokenHolder, 'read')]
}

/** Returns the charges for the bytes that are about to be sent. */
export function byteRequests(charges: ImageCharges, bytes: number): readonly LimitRequest[] {
  const { kind, asked, caller, isExempt, tokenHolder } = charges
  if (isExempt) return []
  return [{ sets: kind.bytes, caller, input: asked, bytes }, ...tokenBytes(tokenHolder, bytes)]
}
