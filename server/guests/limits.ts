import type { RuleSet } from '#server/limits/rule-set.ts'

/**
 * Uploads of guests, by address, by network and for the site. Twenty networks can use up what the site takes; what stays stored is bounded by
 * the guests' budget. An address and its network each hold few of the places where files are received, so that a flood from one network
 * keeps others waiting for nothing but its bytes.
 */
export const guestUpload: readonly RuleSet[] = [
  {
    name: 'guest-upload',
    by: 'ip',
    penalty: 4,
    rules: [
      { limit: 10, window: '1m' },
      { limit: 60, window: '1h' },
      { limit: 150, window: '1d' },
    ],
  },
  {
    name: 'network-guest-upload',
    by: 'network',
    rules: [
      { limit: 30, window: '1m' },
      { limit: 200, window: '1h' },
    ],
  },
  {
    name: 'guest-upload-of-site',
    by: 'site',
    networks: 20,
    rules: [
      { limit: 1_000, window: '1h', algorithm: 'sliding-window-counter' },
      { limit: 5_000, window: '1d', algorithm: 'sliding-window-counter', samples: 24 },
    ],
  },
  { name: 'guest-uploading', by: 'ip', wait: '30s', rules: [{ concurrent: 2 }] },
  { name: 'network-guest-uploading', by: 'network', wait: '30s', rules: [{ concurrent: 4 }] },
  {
    name: 'guest-upload-bytes',
    by: 'ip',
    unit: 'bytes',
    rules: [{ limit: '2GB', window: '1d', algorithm: 'fixed-window', align: 'day' }],
  },
  {
    name: 'guest-upload-bytes-of-site',
    by: 'site',
    networks: 20,
    unit: 'bytes',
    rules: [{ limit: '40GB', window: '1d', algorithm: 'sliding-window-counter', samples: 24 }],
  },
]

/** The queue of images that wait for approval. */
export const guestView: readonly RuleSet[] = [
  {
    name: 'guest-view',
    by: 'subject',
    rules: [
      { limit: 20, window: '1s' },
      { limit: 300, window: '1m' },
    ],
  },
]

/** Approving and rejecting them. */
export const guestDecision: readonly RuleSet[] = [
  {
    name: 'guest-decision',
    by: 'subject',
    rules: [
      { limit: 60, window: '1m' },
      { limit: 600, window: '1h', algorithm: 'sliding-window-counter' },
    ],
  },
]
