import { expect, test } from 'vitest'
import type { Role, Viewer } from '#server/accounts/viewer.ts'
import { mayEdit, mayRead, mayTrash } from './access.ts'

const viewer = (role: Role, shared = false, userId = 'somebody'): Viewer => ({
  userId,
  username: userId,
  role,
  shared,
  locale: null,
  displayName: null,
  pictureHash: null,
  sessionId: 's',
  provedAt: null,
  needsFactor: false,
  token: null,
})

const viewers = {
  guest: null,
  stranger: viewer('user'),
  owner: viewer('user', false, 'owner'),
  admin: viewer('admin'),
  'shared admin': viewer('admin', true),
  superadmin: viewer('superadmin'),
} as const
type Name = keyof typeof viewers
const everybody: readonly Name[] = ['guest', 'stranger', 'owner', 'admin', 'shared admin', 'superadmin']
const ownerAndSuperadmin: readonly Name[] = ['owner', 'superadmin']
const moderators: readonly Name[] = ['admin', 'shared admin']

test.each([
  { visibility: 'private', trashed: false, readers: ownerAndSuperadmin, moderators: [] },
  { visibility: 'link', trashed: false, readers: everybody, moderators: [] },
  { visibility: 'public', trashed: false, readers: everybody, moderators },
  { visibility: 'private', trashed: true, readers: ownerAndSuperadmin, moderators: [] },
  { visibility: 'link', trashed: true, readers: ownerAndSuperadmin, moderators: [] },
  { visibility: 'public', trashed: true, readers: [...ownerAndSuperadmin, ...moderators], moderators },
] as const)('$visibility, trashed: $trashed', ({ visibility, trashed, ...expected }) => {
  const image = { ownerId: 'owner', visibility, trashedAt: trashed ? new Date() : null }
  const allowed = (rule: (viewer: Viewer | null) => boolean) => everybody.filter((name) => rule(viewers[name])).sort()
  expect(allowed((who) => mayRead(who, image))).toEqual([...expected.readers].sort())
  expect(allowed((who) => mayEdit(who, image))).toEqual(ownerAndSuperadmin)
  expect(allowed((who) => mayTrash(who, image) === 'freely')).toEqual(ownerAndSuperadmin)
  expect(allowed((who) => mayTrash(who, image) === 'as-moderation')).toEqual([...expected.moderators].sort())
})
