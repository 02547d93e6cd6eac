import { expect, test } from 'vitest'
import { blank, draftFrom, findProblems, presets, type ShareItem, toSettings } from './draft.ts'

const NOW = Date.UTC(2026, 10, 23, 12)

const share: ShareItem = {
  ...{ id: 'x', url: null, title: 'Holidays', album: null, count: 1, thumbnails: [], hasPassword: true },
  ...{ showsTitles: false, originals: true, expiresAt: '2026-12-01T00:00:00.000Z', maxViews: 5, views: 1 },
  limits: { requestsPerHour: null, requestsPerDay: 10, bytesPerDay: 1536 * 1024 ** 2 },
  ...{ createdAt: '2026-11-01T00:00:00.000Z', ended: null, today: null, owner: null },
}

test('a blank draft is a link for a few friends, without an end or a password', () => {
  expect(toSettings(blank, NOW)).toEqual({
    ...{ title: '', expiresAt: null, maxViews: null, originals: false, showsTitles: true },
    limits: presets.friends,
  })
})

test('an unchanged draft changes nothing', () => {
  const draft = draftFrom(share)
  expect(draft).toMatchObject({ end: 'kept', preset: 'own', requestsPerHour: '', bytesPerDay: '1536MB' })
  expect(toSettings(draft, NOW)).toEqual({
    ...{ title: 'Holidays', maxViews: 5, originals: true, showsTitles: false },
    limits: share.limits,
  })
  for (const [name, limits] of Object.entries(presets)) expect(draftFrom({ ...share, limits }).preset).toBe(name)
})

test('an end is a number of days from now, or a time', () => {
  expect(toSettings({ ...blank, end: 'week' }, NOW).expiresAt).toBe('2026-11-30T12:00:00.000Z')
  const at = toSettings({ ...blank, end: 'date', endAt: '2026-12-24T18:00' }, NOW).expiresAt
  expect(at).toBe(new Date('2026-12-24T18:00').toISOString())
})

test('a password is kept, replaced, or removed', () => {
  expect(toSettings(blank, NOW)).not.toHaveProperty('password')
  expect(toSettings({ ...blank, password: ' x ' }, NOW)).toMatchObject({ password: ' x ' })
  expect(toSettings({ ...blank, removesPassword: true }, NOW)).toMatchObject({ password: null })
})

test.each([
  [{ end: 'date', endAt: '' }, { endAt: 'endMissing' }],
  [{ end: 'date', endAt: '2020-01-01T00:00' }, { endAt: 'endMissing' }],
  [{ views: '0' }, { views: 'viewsWrong' }],
  [{ views: '1.5' }, { views: 'viewsWrong' }],
  [{ views: '1000001' }, { views: 'viewsWrong' }],
  [{ preset: 'own', requestsPerHour: 'many' }, { requestsPerHour: 'amountWrong' }],
  [{ preset: 'own', requestsPerDay: '-1' }, { requestsPerDay: 'amountWrong' }],
  [{ preset: 'own', bytesPerDay: '5 parsecs' }, { bytesPerDay: 'bytesWrong' }],
  [{ preset: 'own', bytesPerDay: '0GB' }, { bytesPerDay: 'bytesWrong' }],
  [{ preset: 'own', bytesPerDay: '2 GB', requestsPerDay: ' 7 ' }, {}],
] as const)('%j has the problems %j', (change, problems) => {
  const none = { endAt: null, views: null, requestsPerHour: null, requestsPerDay: null, bytesPerDay: null }
  expect(findProblems({ ...blank, ...change }, NOW)).toEqual({ ...none, ...problems })
})
