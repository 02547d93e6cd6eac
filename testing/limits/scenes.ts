import type { LimitRequest } from '#server/limits/charges.ts'
import { compileRuleSets } from '#server/limits/rules/compile.ts'

const everybody = { subject: 'everybody' }

const alone = compileRuleSets('alone', [
  {
    by: 'subject',
    rules: [
      { limit: 10, window: '1h' },
      { limit: 500, window: '2h' },
      { limit: 1_000, window: '1d' },
    ],
  },
])
const apart = compileRuleSets('apart', [
  { name: 'own', by: 'subject', rules: [{ limit: 10, window: '1h' }] },
  { name: 'argument', by: { input: 'id' }, rules: [{ limit: 10, window: '1h' }] },
  { name: 'site', by: 'site', rules: [{ limit: 10, window: '1h' }] },
])
const doomed = compileRuleSets('doomed', [
  { name: 'picked', by: { input: 'id' }, rules: [{ limit: 3, window: '1h' }] },
  { name: 'all', by: 'site', rules: [{ limit: 10, window: '1h' }] },
])

/** The requests of each of many processes, by the unique name of the call. */
export const scenes = {
  /** Three rules of one subject. */
  alone: (_call: string): LimitRequest => ({ sets: alone, caller: everybody }),
  /** One subject, one argument and the whole site, 10 of each: on a Cluster three slots. */
  apart: (_call: string): LimitRequest => ({ sets: apart, caller: everybody, input: { id: 'image' } }),
  /** The same with a subject for each call, so that calls share only the argument and the site. */
  crossed: (call: string): LimitRequest => ({ sets: apart, caller: { subject: call }, input: { id: 'image' } }),
  /** 10 for the site. Half of the calls have an argument that only 3 of them can get. */
  doomed: (call: string): LimitRequest => {
    return { sets: doomed, caller: { subject: call }, input: { id: Number(call.at(-1)) % 2 === 0 ? 'image' : call } }
  },
}

export type SceneName = keyof typeof scenes
