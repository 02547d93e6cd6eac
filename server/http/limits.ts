import { signIn, signInAccount, signInAddress } from '#server/accounts/limits.ts'
import { download, downloadOfOne, moderate, moderateShared, view, viewLarge } from '#server/images/limits.ts'
import { compileRuleSets } from '#server/limits/rules/compile.ts'
import type { Declared } from '#server/limits/rules/names.ts'

/** Pages and next-auth's answers, each some milliseconds of the one thread: more than a quick person, or an office of them, opens. */
export const pageLimit = compileRuleSets('pages', [
  {
    name: 'page',
    by: 'ip',
    rules: [
      { limit: 60, window: '1s' },
      { limit: 1_200, window: '1m', algorithm: 'sliding-window-counter' },
    ],
  },
])

/** What the bytes of an image cost: the original, or a rendering by whether it is a large one. */
export const imageLimits = {
  original: compileRuleSets('image bytes', [...download, ...downloadOfOne]),
  small: compileRuleSets('image bytes', view),
  large: compileRuleSets('image bytes', [...view, ...viewLarge]),
} as const

/** All that is charged beside what procedures declare: by routes, by the sign-in, and within procedures. */
export const limitsElsewhere: readonly Declared[] = [
  { procedure: 'pages', sets: pageLimit },
  ...Object.entries(imageLimits).map(([what, sets]) => ({ procedure: `image bytes (${what})`, sets })),
  ...Object.entries({ signInAddress, signIn, signInAccount }).map(([what, sets]) => ({
    procedure: `sign-in (${what})`,
    sets: compileRuleSets('sign-in', sets),
  })),
  ...[moderate, moderateShared].map((sets) => ({ procedure: 'trash', sets: compileRuleSets('trash', sets) })),
]
