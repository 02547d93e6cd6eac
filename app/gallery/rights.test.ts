import { expect, test } from 'vitest'
import type { Account } from '#app/shell/session.tsx'
import { rightsOver } from './rights.ts'

const account = (role: Account['role'], shared = false): Account => ({
  userId: '1',
  username: 'ana',
  role,
  shared,
  displayName: null,
  picture: null,
  locale: null,
})
const own = { mine: true, visibility: 'private' } as const
const publicOne = { mine: false, visibility: 'public' } as const
const linkOne = { mine: false, visibility: 'link' } as const

test.each([
  ['guest', null, publicOne, ''],
  ['user, own', account('user'), own, 'edit file share trash purge'],
  ['user, other', account('user'), publicOne, ''],
  ['shared user, own', account('user', true), own, 'edit file trash'],
  ['admin, own', account('admin'), own, 'edit file share trash purge'],
  ['admin, public one of another', account('admin'), publicOne, 'trash'],
  ['admin, link one of another', account('admin'), linkOne, ''],
  ['shared admin, own', account('admin', true), own, 'edit trash'],
  ['shared admin, public one of another', account('admin', true), publicOne, 'trash'],
  ['superadmin, other', account('superadmin'), linkOne, 'edit file share trash purge'],
])('%s: %s', (_, viewer, image, expected) => {
  const granted = Object.entries(rightsOver(viewer, image)).filter(([, may]) => may)
  expect(granted.map(([right]) => right).join(' ')).toBe(expected)
})
