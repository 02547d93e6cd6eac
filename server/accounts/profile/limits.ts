import type { RuleSet } from '#server/limits/rule-set.ts'
import { declareRoute } from '#server/limits/rules/declared-route.ts'

/** Changing the display name and the profile and removing the picture: rare, and seen by others. */
export const profileChange: readonly RuleSet[] = [
  {
    name: 'profile-change',
    by: 'subject',
    rules: [
      { limit: 10, window: '1m' },
      { limit: 60, window: '1d' },
    ],
  },
]

/** Profiles that are looked at, open or not. */
export const profileView: readonly RuleSet[] = [
  {
    name: 'profile-view',
    by: 'subject',
    rules: [
      { limit: 60, window: '1s' },
      { limit: 600, window: '1m', algorithm: 'sliding-window-counter' },
    ],
  },
]

/** Setting the picture: each file is cleaned and decoded like an upload. */
export const pictureUpload: readonly RuleSet[] = [
  {
    name: 'picture-upload',
    by: 'subject',
    rules: [
      { limit: 5, window: '1m' },
      { limit: 30, window: '1d' },
    ],
  },
]

/** Pictures of accounts: small, and kept by browsers. A page shows one, a list of users fifty. */
const pictureView: readonly RuleSet[] = [
  {
    name: 'picture-view',
    by: 'ip',
    rules: [
      { limit: 200, window: '1s' },
      { limit: 3_000, window: '1m', algorithm: 'sliding-window-counter' },
    ],
  },
]

export const pictureRoute = declareRoute({
  label: 'account pictures',
  declared: pictureView,
  isAnonymous: true,
})
