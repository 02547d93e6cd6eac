import { expect, test } from 'vitest'
import { rowKeys } from './subjects.tsx'

const standing = (key: string, policy: string) => ({
  subject: { key, kind: 'address' as const, name: null },
  ...{ argument: null, key: null },
  ruleSet: 'view',
  policy,
})

test('gives subjects with the same key distinct row keys', () => {
  const rows = [
    standing('hidden', 'view-1s'),
    standing('192.0.2.1', 'view-1s'),
    standing('hidden', 'view-1s'),
    standing('hidden', 'view-1m'),
  ]
  expect(rowKeys(rows)).toEqual([
    'hidden view view-1s 0',
    '192.0.2.1 view view-1s 0',
    'hidden view view-1s 1',
    'hidden view view-1m 0',
  ])
})
