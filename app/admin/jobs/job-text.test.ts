import { createTranslator } from 'use-intl/core'
import { expect, test } from 'vitest'
import { formatsFor } from '#format/formats.ts'
import { adminJobs } from '#messages/en/admin-jobs.ts'
import { jobLoss, jobName, jobSummary, taskOutcome } from './job-text.ts'

const t = createTranslator({ locale: 'en', messages: { adminJobs }, namespace: 'adminJobs' })
const finishedAt = '2026-11-20T08:00:00.000Z'
const swept = { listed: 12, listedBytes: 2048, orphans: 0, orphanBytes: 0, leftovers: 0, unfinished: 0, temporary: 0 }

test.each([
  ['trash', { purged: 0 }, 'No images were due.'],
  ['trash', { purged: 1 }, '1 image deleted permanently.'],
  ['sweep', { ...swept, remaining: 0 }, '12 objects, 2 KiB. No leftovers.'],
  [
    'sweep',
    { ...swept, orphans: 2, temporary: 1, remaining: 4 },
    '12 objects, 2 KiB. 3 leftovers deleted. 4 deletions will be retried.',
  ],
  [
    'sweep',
    { ...swept, lost: 2, remaining: 0 },
    '12 objects, 2 KiB. No leftovers. Lost variants of 2 images will be re-created.',
  ],
  ['sweep', { failed: 'The log says why.' }, 'Failed. The log says why.'],
  ['settling', { folded: 0 }, 'Nothing to settle.'],
  ['settling', { folded: 2 }, '2 usage records settled.'],
  ['other', { seen: 3, why: 'x' }, 'seen: 3, why: x'],
])('%s %j: %s', (name, report, expected) => {
  expect(taskOutcome(t, formatsFor('en'), { name, finishedAt, report })).toBe(expected)
})

test('a first run has no outcome yet', () => {
  expect(taskOutcome(t, formatsFor('en'), { name: 'sweep', finishedAt: null, report: null })).toBe(
    'First run in progress.',
  )
})

test('counts jobs by state', () => {
  const none = { name: 'removal', waiting: 0, active: 0, retrying: 0, failed: 0 }
  expect(jobSummary(t, formatsFor('en'), [none])).toBe('No pending or failed jobs.')
  const some = [
    { ...none, waiting: 2, failed: 1 },
    { ...none, waiting: 1 },
  ]
  expect(jobSummary(t, formatsFor('en'), some)).toBe('1 failed, 3 waiting')
})

test('names tasks, unknown ones as the server does', () => {
  expect(['trash', 'sweep', 'other'].map((name) => jobName(t, { name }))).toEqual([
    'Trash purge',
    'Storage sweep',
    'other',
  ])
})

test.each([
  ['sweep', 'It runs again within a day. Until then, leftover objects stay in storage.'],
  ['webhook', 'The event is never delivered.'],
  ['webhook-image', 'The event is never delivered.'],
  ['other', 'Its work is not done until something queues it again.'],
])('says what is lost when a job such as %s is discarded', (name, loss) => {
  expect(jobLoss(t, { name })).toBe(loss)
})
