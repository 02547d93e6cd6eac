import { compileRuleSets } from '#server/limits/rules/compile.ts'

/** Pages and next-auth's answers, each some milliseconds of the one thread: more than a quick person, or an office of them, opens. */
export const pageLimit = compileRuleSets('pages', [
  {
    name: 'page',
    by: 'ip',
    rules: [
      { limit: 60, window: '1s' },
      { limit: 1_200, window: '1m' },
    ],
  },
])
