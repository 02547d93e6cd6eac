import { tokenRoutes } from '#server/accounts/tokens/token-limits.ts'
import type { Scope } from '#server/accounts/viewer.ts'
import { refuseWith } from '#server/errors/refuse.ts'
import type { LimitRequest } from '#server/limits/charges.ts'
import type { CompiledRuleSet } from '#server/limits/rules/compiled.ts'
import type { Catalogue, DeclaringPart } from './catalogue.ts'
import type { ExplainedCaller } from './explained-caller.ts'
import { withUnitCost } from './my-limits.ts'
import { subjectProblem } from './overrides/override-problems.ts'
import { NOWHERE } from './subject-key.ts'

/** What a call would be charged, as far as the subject tells. Throws for a subject that nothing of the procedure counts. */
export function requestsFor(
  catalogue: Catalogue,
  part: DeclaringPart,
  found: ExplainedCaller,
  argument: string | undefined,
): readonly LimitRequest[] {
  const { subject, caller, tokenScopes } = found
  const named = part.compiled.filter(({ facts }) => typeof facts.by === 'string' || argument !== undefined)
  const input = argument === undefined ? undefined : inputWith(named, argument)
  const problemOf = ({ facts }: CompiledRuleSet) => {
    const set = catalogue.ruleSets.get(facts.name)
    return set ? subjectProblem(set, subject.key) : null
  }
  const isOfHolder = part.isForTokens || part.isForShares
  if (isOfHolder || subject.kind === 'share') {
    const problem = named.map(problemOf).find((each) => each !== null)
    if (problem) throw refuseWith(problem)
    return [{ sets: named.map(withUnitCost), caller: { subjectKey: subject.key }, input }]
  }
  if ('subjectKey' in caller) {
    return [{ sets: named.filter((set) => problemOf(set) === null).map(withUnitCost), caller, input }]
  }
  const own = { sets: named.map(withUnitCost), caller: part.isAnonymous ? asStranger(caller) : caller, input }
  if (subject.kind !== 'token') return [own]
  const { scope } = part
  const { sets } = tokenRoutes[scope === undefined || scope === 'any' ? 'read' : scope]
  const byToken = { sets, caller: { subjectKey: subject.key } }
  return mayCall(scope, tokenScopes) ? [own, byToken] : [byToken]
}

/** An input in which every argument that is counted has this value. */
function inputWith(sets: readonly CompiledRuleSet[], argument: string): unknown {
  const paths = sets.flatMap(({ facts: { by } }) => (typeof by === 'object' ? by.input : []))
  return paths.reduce<Record<string, unknown>>((input, path) => withValue(input, path.split('.'), argument), {})
}

function withValue(
  input: Record<string, unknown>,
  [name = '', ...rest]: readonly string[],
  value: string,
): Record<string, unknown> {
  const inner = input[name]
  const below = typeof inner === 'object' && inner !== null ? { ...inner } : {}
  return { ...input, [name]: rest.length === 0 ? value : withValue(below, rest, value) }
}

/** Where the caller is not known yet, only the address counts. */
function asStranger(caller: ExplainedCaller['caller']) {
  return { address: 'address' in caller ? caller.address : NOWHERE, userId: null, shared: false }
}

/** A call that a token may never make is charged to the token alone. */
const mayCall = (scope: Scope | 'any' | undefined, scopes: readonly string[] | null): boolean =>
  scope === 'any' || (scope !== undefined && scopes?.includes(scope) === true)
