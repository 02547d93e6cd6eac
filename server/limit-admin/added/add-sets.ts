import { errorText } from '#server/errors/refuse.ts'
import type { ErrorText } from '#server/errors/refused.ts'
import type { AddedSet as ChargedSet } from '#server/limits/overrides.ts'
import type { AnyRuleSet } from '#server/limits/rule-set.ts'
import { compileRuleSets } from '#server/limits/rules/compile.ts'
import { type CompiledRuleSet, countsTogether } from '#server/limits/rules/compiled.ts'
import { type Catalogue, createCatalogue, type DeclaringPart } from '../catalogue.ts'
import { knowsOutcome } from '../overrides/override-problems.ts'
import { compileError } from '../overrides/override-rules.ts'
import type { AddedSet, WrittenSet } from './added-set.ts'
import { countableArguments } from './arguments.ts'

/** What the code declares, with the sets that were added. */
export interface Extended {
  readonly catalogue: Catalogue
  readonly added: readonly ChargedSet[]
  /** Why sets are left out, by name. */
  readonly problems: ReadonlyMap<string, ErrorText>
}

/** Adds rule sets to what the code declares, each with the checks of declared sets. One with a problem is left out. */
export function addSets(declared: Catalogue, written: readonly WrittenSet[]): Extended {
  const parts = new Map(declared.byPath)
  const names = new Set(declared.ruleSets.keys())
  const problems = new Map<string, ErrorText>()
  const added: ChargedSet[] = []
  for (const each of written) {
    const { name, procedure, set } = each
    const part = parts.get(procedure)
    const compiled = part ? compileAdded(part, names, each) : { problem: errorText('unknown-procedure', { procedure }) }
    if ('problem' in compiled) problems.set(name, compiled.problem)
    else if (part) {
      names.add(name)
      added.push({ procedure, sets: compiled.sets })
      const now = {
        declared: [...part.declared, asDeclared(name, set)],
        compiled: [...part.compiled, ...compiled.sets],
      }
      parts.set(procedure, { ...part, ...now })
    }
  }
  return { catalogue: added.length === 0 ? declared : createCatalogue([...parts.values()]), added, problems }
}

type Compiled = { readonly sets: readonly CompiledRuleSet[] } | { readonly problem: ErrorText }

function compileAdded(part: DeclaringPart, names: ReadonlySet<string>, { name, set }: WrittenSet): Compiled {
  if (names.has(name)) return { problem: errorText('rule-set-exists', { ruleSet: name }) }
  const problem = misplaced(part, name, set)
  if (problem) return { problem }
  try {
    const all = compileRuleSets(part.path, [...part.declared, asDeclared(name, set)])
    return { sets: all.filter(({ facts }) => facts.name === name) }
  } catch (error) {
    return { problem: compileError(error) }
  }
}

const asDeclared = (name: string, set: AddedSet): AnyRuleSet => ({ ...set, name })

/** Returns why the set cannot be on this procedure, whatever its rules say; null if it can. */
function misplaced(part: DeclaringPart, ruleSet: string, set: AddedSet): ErrorText | null {
  const { path: procedure } = part
  if (typeof set.by === 'object' && !countableArguments(part).includes(set.by.input))
    return errorText('argument-unknown', { procedure, input: set.by.input })
  if (set.networks === undefined && countsTogether({ by: countedBy(set) }))
    return errorText('networks-missing', { ruleSet })
  // Not every route reports the end of its calls.
  if (part.kind === 'route' && set.rules.some((rule) => 'concurrent' in rule))
    return errorText('concurrency-of-route', { procedure })
  if (set.count === 'failures' && !knowsOutcome(part)) return errorText('outcome-unknown', { procedure })
  if (set.wait !== undefined && part.isAnonymous) return errorText('wait-unknown-caller', { ruleSet })
  return set.mode === 'degrade' && !part.cheaperAnswer ? errorText('no-cheaper-answer', { ruleSet }) : null
}

const countedBy = ({ by }: AddedSet) => (typeof by === 'string' ? by : { input: by.input, per: by.per ?? null })
