import { expect, test } from 'vitest'
import { lossOf, nameOfJob, outcomeOfTask, summaryOf } from './words.ts'

const finishedAt = '2026-11-20T08:00:00.000Z'
const swept = { listed: 12, listedBytes: 2048, orphans: 0, orphanBytes: 0, leftovers: 0, unfinished: 0, temporary: 0 }

test.each([
  ['trash', { purged: 0 }, 'Nothing was due.'],
  ['trash', { purged: 1 }, '1 image removed for good.'],
  ['sweep', { ...swept, remaining: 0 }, '12 objects, 2 KiB. Nothing was left over.'],
  [
    'sweep',
    { ...swept, orphans: 2, temporary: 1, remaining: 4 },
    '12 objects, 2 KiB. 3 leftovers removed. 4 to be tried again.',
  ],
  [
    'sweep',
    { ...swept, lost: 2, remaining: 0 },
    '12 objects, 2 KiB. Nothing was left over. Of 2 objects a smaller rendering is lost, and will be made anew.',
  ],
  ['sweep', { failed: 'The log says why.' }, 'Failed. The log says why.'],
  ['settling', { folded: 0 }, 'Nothing was left to add up.'],
  ['settling', { folded: 2 }, '2 rows of usage added up.'],
  ['other', { seen: 3, why: 'x' }, 'seen: 3, why: x'],
])('%s %j: %s', (name, report, expected) => {
  expect(outcomeOfTask({ name, finishedAt, report })).toBe(expected)
})

test('a first run has nothing to tell yet', () => {
  expect(outcomeOfTask({ name: 'sweep', finishedAt: null, report: null })).toBe('Under way for the first time.')
})

test('counts jobs in a sentence', () => {
  const none = { name: 'removal', waiting: 0, active: 0, retrying: 0, failed: 0 }
  expect(summaryOf([none])).toBe('Nothing waits, and nothing has failed.')
  expect(
    summaryOf([
      { ...none, waiting: 2, failed: 1 },
      { ...none, waiting: 1 },
    ]),
  ).toBe('1 failed, 3 waiting.')
})

test('names the tasks', () => {
  expect(['trash', 'sweep', 'other'].map((name) => nameOfJob({ name }))).toEqual([
    'Emptying the trash',
    'Sweeping the store',
    'other',
  ])
})

test.each([
  ['sweep', 'It runs again by itself when its time comes, within the day. Until then leftovers stay in the store.'],
  ['webhook', 'The receiver of the webhook is never told of this event, and nothing sends it again.'],
  ['webhook-image', 'The receiver of the webhook is never told of this event, and nothing sends it again.'],
  ['other', 'What it was to do is left undone, until something else asks for it.'],
])('of a job that is discarded, such as %s, it says what is lost', (name, loss) => {
  expect(lossOf({ name })).toBe(`${loss} The job itself cannot be brought back.`)
})
