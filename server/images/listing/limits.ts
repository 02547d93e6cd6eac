import type { RuleSet } from '#server/limits/rule-set.ts'
import { declareRoute } from '#server/limits/rules/declared-route.ts'

/**
 * Lists that are searched or filtered, their counts and their months; charged in addition to `view`, `count` and `timeline`. They
 * may read thousands of rows for a page. While a person types, all three are asked for a few times a second; scrolling takes one for
 * each page.
 */
export const search: readonly RuleSet[] = [
  {
    name: 'search',
    by: 'subject',
    rules: [
      { limit: 30, window: '1s' },
      { limit: 600, window: '1m', algorithm: 'sliding-window-counter' },
      { limit: 10_000, window: '1h', algorithm: 'sliding-window-counter' },
    ],
  },
]

/** Whole pages of such lists, in addition to `search`. Beyond three a second pages are small, and those asked for again are remembered. */
export const searchWhole: readonly RuleSet[] = [
  {
    name: 'search-whole',
    by: 'subject',
    mode: 'degrade',
    rules: [
      { limit: 200, window: '1m', algorithm: 'sliding-window-counter' },
      { limit: 3_000, window: '1h', algorithm: 'sliding-window-counter' },
    ],
  },
]

export const searching = declareRoute({ label: 'searched lists', declared: search, isAnonymous: true })

export const searchedPages = declareRoute({
  label: 'searched pages',
  declared: [...search, ...searchWhole],
  cheaperAnswer: 'a page of twelve images',
  isAnonymous: true,
})

/** How many images a list has: a thousand rows at most. Charged in addition to `view`. */
export const counting: readonly RuleSet[] = [
  {
    name: 'count',
    by: 'subject',
    mode: 'degrade',
    rules: [
      { limit: 30, window: '1s' },
      { limit: 300, window: '1m', algorithm: 'sliding-window-counter' },
      { limit: 5_000, window: '1h', algorithm: 'sliding-window-counter' },
    ],
  },
]

/** The months of a whole list, which reads every image of it: when a gallery is opened, sorted or searched. Charged in addition to
 *  `view`. */
export const timelineView: readonly RuleSet[] = [
  {
    name: 'timeline',
    by: 'subject',
    mode: 'degrade',
    rules: [
      { limit: 60, window: '1m' },
      { limit: 1_000, window: '1h', algorithm: 'sliding-window-counter' },
    ],
  },
]
