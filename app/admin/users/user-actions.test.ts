import { expect, test } from 'vitest'
import type { Account } from '#app/shell/session.tsx'
import { actionsFor, mayAdd } from './user-actions.ts'

const viewer = (role: Account['role'], shared = false): Account => ({
  userId: 'me',
  username: 'me',
  role,
  shared,
  displayName: null,
  picture: null,
  locale: null,
})
const user = { id: 'other', role: 'user', banned: false } as const

test.each([
  ['superadmin on a user', viewer('superadmin'), user, 'role quota password factors ban delete'],
  [
    'superadmin on an admin',
    viewer('superadmin'),
    { ...user, role: 'admin' as const },
    'role quota password factors ban delete',
  ],
  ['superadmin on a banned user', viewer('superadmin'), { ...user, banned: true }, 'role quota factors unban delete'],
  ['superadmin on themselves', viewer('superadmin'), { ...user, id: 'me' }, 'quota'],
  ['admin on themselves', viewer('admin'), { ...user, id: 'me' }, ''],
  ['admin on a user', viewer('admin'), user, 'password ban'],
  ['admin on an admin', viewer('admin'), { ...user, role: 'admin' as const }, ''],
  ['shared admin on a user', viewer('admin', true), user, ''],
])('%s: %s', (_, who, whom, expected) => {
  expect(actionsFor(who, whom).join(' ')).toBe(expected)
})

test('only admins with their own account can add others', () => {
  expect([viewer('user'), viewer('admin'), viewer('admin', true), viewer('superadmin')].map(mayAdd)).toEqual([
    false,
    true,
    false,
    true,
  ])
})
