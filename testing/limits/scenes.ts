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

/** What each of many processes asks for, by the name of the call, which no other has. */
export const scenes = {
  /** Three rules of one subject. */
  alone: (_call: string): LimitRequest => ({ sets: alone, caller: everybody }),
  /** One subject, one argument and the whole site, 10 of each: on a Cluster three slots. */
  apart: (_call: string): LimitRequest => ({ sets: apart, caller: everybody, input: { id: 'image' } }),
  /** The same with a subject for each call: all meet at the argument and the site alone. */
  crossed: (call: string): LimitRequest => ({ sets: apart, caller: { subject: call }, input: { id: 'image' } }),
}

export type SceneName = keyof typeof scenes
