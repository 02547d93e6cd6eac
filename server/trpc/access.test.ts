import { TRPCError } from '@trpc/server'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { z } from 'zod'
import { createOneTimeLink } from '#server/accounts/links/one-time-link.ts'
import { setUpCode } from '#server/accounts/owner.ts'
import { insertUser } from '#server/accounts/users/insert-user.ts'
import { type Role, type Scope, scopes } from '#server/accounts/viewer.ts'
import type { BulkAnswer } from '#server/images/bulk/outcome.ts'
import { makeDeletionLink } from '#server/images/links/deletion-link.ts'
import { newSlug } from '#server/images/slug.ts'
import { insertToken } from '#testing/accounts/api-token.ts'
import { manyPeople } from '#testing/accounts/many-people.ts'
import { addPasskey, createPasskey, insertPasskey } from '#testing/accounts/passkey.ts'
import { insertProvider, providerSettings } from '#testing/accounts/provider-row.ts'
import { currentCode, insertTrusted } from '#testing/accounts/second-factor.ts'
import { NOBODYS_HASH } from '#testing/accounts/signed-in.ts'
import { waitingJob } from '#testing/jobs/waiting-job.ts'
import { insertPending } from '#testing/library/guest-image.ts'
import { insertBareImage } from '#testing/library/insert-image.ts'
import { startMailServer, type TestMailServer } from '#testing/servers/mail-server.ts'
import { type Person, type SignedIn, startApp, type TestApp, type TestCaller } from '#testing/sluice/sluice-app.ts'
import { declaredLimits } from './declared-limits.ts'
import { appRouter } from './router.ts'

/** The callers of the matrix, in the order of its columns. A banned user is a guest, as a test shows. */
const KINDS = ['guest', 'user', 'sharedUser', 'admin', 'sharedAdmin', 'superadmin'] as const
type Kind = (typeof KINDS)[number]

/** An account of a kind. */
const RIGHTS: Readonly<Record<Exclude<Kind, 'guest'>, { readonly role: Role; readonly shared: boolean }>> = {
  user: { role: 'user', shared: false },
  sharedUser: { role: 'user', shared: true },
  admin: { role: 'admin', shared: false },
  sharedAdmin: { role: 'admin', shared: true },
  superadmin: { role: 'superadmin', shared: false },
}

interface AlbumOptions {
  readonly visibility: 'private' | 'link' | 'public'
  readonly deleted?: boolean
}

/** Success, or the HTTP status of the refusal. */
type Cell = 'ok' | 400 | 401 | 403 | 404

/** One cell for each of KINDS. */
type Cells = readonly [Cell, Cell, Cell, Cell, Cell, Cell]

interface Row {
  readonly cells: Cells
  call(caller: TestCaller, scene: Scene): Promise<unknown>
}

interface Scene {
  readonly test: TestApp
  /** The caller; null for a guest. */
  readonly self: SignedIn | null
  readonly other: Person
}

const PASSWORD = 'long enough to pass'
const name = () => `n${crypto.randomUUID().slice(0, 12)}`

const everyone: Cells = ['ok', 'ok', 'ok', 'ok', 'ok', 'ok']
const signedIn: Cells = [401, 'ok', 'ok', 'ok', 'ok', 'ok']
/** A shared admin account keeps no albums, tags and favourites. */
const keepers: Cells = [401, 'ok', 'ok', 'ok', 403, 'ok']
const personal: Cells = [401, 'ok', 403, 'ok', 403, 'ok']
const admins: Cells = [401, 403, 403, 'ok', 'ok', 'ok']
const personalAdmins: Cells = [401, 403, 403, 'ok', 403, 'ok']
const superadmins: Cells = [401, 403, 403, 403, 403, 'ok']

const ownImage = (scene: Scene, options = {}) =>
  insertBareImage(scene.test.app.db, (scene.self ?? scene.other).viewer.userId, options)
/** A share of the caller's, or for a guest of another's. */
const createShare = async (scene: Scene, owner: SignedIn) => {
  const { id: imageId } = await insertBareImage(scene.test.app.db, owner.viewer.userId, { visibility: 'private' })
  const id = crypto.randomUUID()
  const { url, ...link } = scene.test.app.sharing.links.make(id)
  const images = { create: [{ imageId, position: 0 }] }
  await scene.test.app.db.share.create({ data: { id, ownerId: owner.viewer.userId, ...link, images } })
  return { id, token: url.split('/').at(-1) ?? '' }
}
/** A share of an export. */
const restored = { createdAt: '2026-01-01T00:00:00Z', passwordHash: null, views: 0 }
const createPending = async ({ test }: Scene) => insertPending(test.app.db)
const createReport = async (scene: Scene) => {
  const { id: imageId } = await othersImage(scene, { visibility: 'link' })
  const facts = { openedAt: new Date(), lastAt: new Date() }
  return (await scene.test.app.db.report.create({ data: { imageId, ...facts } })).id
}
const createDeletionLink = async (scene: Scene) => {
  const { id } = await insertToken(scene.test, scene.other, ['upload'])
  return (await makeDeletionLink(scene.test.app.db, (await othersImage(scene)).id, id)) ?? ''
}
const createPasswordLink = async (scene: Scene) => {
  const { test } = scene
  const userId = await target(scene, 'user')
  const { link } = await test.app.db.$transaction((tx) =>
    createOneTimeLink(tx, { purpose: 'password', userId, createdById: null }),
  )
  return link
}
const createEmailLink = async (scene: Scene) => {
  const { test } = scene
  const userId = await target(scene, 'user')
  await test.app.db.user.update({ where: { id: userId }, data: { pendingEmail: `${name()}@example.org` } })
  const made = { purpose: 'email', userId, createdById: null, isMailed: true } as const
  return (await test.app.db.$transaction((tx) => createOneTimeLink(tx, made))).link
}
const othersImage = (scene: Scene, options = {}) =>
  insertBareImage(scene.test.app.db, scene.other.viewer.userId, options)
const album = ({ test }: Scene, { viewer }: SignedIn, { deleted = false, visibility }: AlbumOptions) => {
  const facts = { title: 'Summer', slug: newSlug(), deletedAt: deleted ? new Date() : null }
  return test.app.db.album.create({ data: { ...facts, visibility, ownerId: viewer.userId } })
}
const ownAlbum = (scene: Scene, options: AlbumOptions) => album(scene, scene.self ?? scene.other, options)
const othersView = async ({ test, other }: Scene) => {
  const data = { userId: other.viewer.userId, name: 'a', terms: {} }
  return (await test.app.db.savedView.create({ data, select: { id: true } })).id
}
const createProvider = ({ test }: Scene) => insertProvider(test.app.db)
const createIdentity = async ({ test, other }: Scene, self: SignedIn | null) => {
  const { userId } = (self ?? other).viewer
  const data = { userId, issuer: 'https://id.example.org', subject: crypto.randomUUID() }
  return (await test.app.db.linkedIdentity.create({ data, select: { id: true } })).id
}
/** An account that never signs in. */
const target = async ({ test }: Scene, role: 'user' | 'admin' | 'superadmin') =>
  (await insertUser(test.app.db, { username: name(), passwordHash: NOBODYS_HASH, role })).id

/** Who may change an image, and who may move it to the trash and back. */
const editing: Readonly<Record<ImageCase, Cells>> = {
  own: signedIn,
  private: [401, 404, 404, 404, 404, 'ok'],
  link: [401, 403, 403, 403, 403, 'ok'],
  public: [401, 403, 403, 403, 403, 'ok'],
  trashed: [401, 404, 404, 403, 403, 'ok'],
}
const trashing: Readonly<Record<ImageCase, Cells>> = {
  own: signedIn,
  private: [401, 404, 404, 404, 404, 'ok'],
  link: [401, 403, 403, 403, 403, 'ok'],
  public: [401, 403, 403, 'ok', 'ok', 'ok'],
  trashed: [401, 404, 404, 'ok', 'ok', 'ok'],
}

/** Who may tag an image: who may edit it. */
const tagging: Readonly<Record<ImageCase, Cells>> = {
  own: keepers,
  private: [401, 404, 404, 404, 403, 'ok'],
  link: [401, 403, 403, 403, 403, 'ok'],
  public: [401, 403, 403, 403, 403, 'ok'],
  trashed: [401, 404, 404, 403, 403, 'ok'],
}

/** Who may mark an image as a favourite: who may read it. */
const marking: Readonly<Record<ImageCase, Cells>> = {
  own: keepers,
  private: [401, 404, 404, 404, 403, 'ok'],
  link: keepers,
  public: keepers,
  trashed: [401, 404, 404, 'ok', 403, 'ok'],
}

/** Who may change an album. */
const filing: Readonly<Record<AlbumCase, Cells>> = {
  own: keepers,
  private: [401, 404, 404, 404, 404, 'ok'],
  link: [401, 403, 403, 403, 403, 'ok'],
  public: [401, 403, 403, 403, 403, 'ok'],
  deleted: [401, 404, 404, 404, 404, 404],
}

/** The access matrix: `<procedure>` or `<procedure>: <case>`. */
const table: Readonly<Record<string, Row>> = {
  'account.me': { cells: everyone, call: (caller) => caller.account.me() },
  'account.signUp': {
    cells: everyone,
    call: (caller) => caller.account.signUp({ username: name(), password: PASSWORD }),
  },
  'account.changePassword': {
    cells: personal,
    call: async (caller, { test, self }) => {
      if (!self) return caller.account.changePassword({ currentPassword: PASSWORD, newPassword: PASSWORD })
      const person = await test.person({ role: self.viewer.role, shared: self.viewer.shared, password: PASSWORD })
      return test.as(person).account.changePassword({ currentPassword: PASSWORD, newPassword: `${PASSWORD} too` })
    },
  },
  'account.setLocale': { cells: personal, call: (caller) => caller.account.setLocale({ locale: 'zh-CN' }) },
  'account.photoDetails': { cells: personal, call: (caller) => caller.account.photoDetails() },
  'account.setPhotoDetails': { cells: personal, call: (caller) => caller.account.setPhotoDetails({ keeps: true }) },
  'account.forgetPhotoDetails': { cells: personal, call: (caller) => caller.account.forgetPhotoDetails() },
  'account.passwordLinks': { cells: personal, call: (caller) => caller.account.passwordLinks() },
  'account.showByLink': {
    cells: everyone,
    call: async (caller, scene) => caller.account.showByLink({ link: await createPasswordLink(scene) }),
  },
  'account.showByLink: a wrong one': {
    cells: [404, 404, 404, 404, 404, 404],
    call: (caller) => caller.account.showByLink({ link: 'x' }),
  },
  'account.setPasswordByLink': {
    cells: everyone,
    call: async (caller, scene) =>
      caller.account.setPasswordByLink({ link: await createPasswordLink(scene), password: PASSWORD }),
  },
  'account.setPasswordByLink: a wrong one': {
    cells: [404, 404, 404, 404, 404, 404],
    call: (caller) => caller.account.setPasswordByLink({ link: 'x', password: PASSWORD }),
  },
  'account.forgotPassword': { cells: everyone, call: (caller) => caller.account.forgotPassword({ login: name() }) },
  'account.email': { cells: personal, call: (caller) => caller.account.email() },
  'account.setEmail': {
    cells: personal,
    call: (caller) => caller.account.setEmail({ email: `${name()}@example.org` }),
  },
  'account.removeEmail': {
    cells: personal,
    call: async (caller, { test, self, other }) => {
      const { userId: id } = (self ?? other).viewer
      await test.app.db.user.update({ where: { id }, data: { pendingEmail: 'ada@example.org' } })
      return caller.account.removeEmail()
    },
  },
  'account.setShareMails': { cells: personal, call: (caller) => caller.account.setShareMails({ wants: false }) },
  'account.showEmailLink': {
    cells: everyone,
    call: async (caller, scene) => caller.account.showEmailLink({ link: await createEmailLink(scene) }),
  },
  'account.showEmailLink: one for a password': {
    cells: [404, 404, 404, 404, 404, 404],
    call: async (caller, scene) => caller.account.showEmailLink({ link: await createPasswordLink(scene) }),
  },
  'account.confirmEmailByLink': {
    cells: everyone,
    call: async (caller, scene) => caller.account.confirmEmailByLink({ link: await createEmailLink(scene) }),
  },
  'account.confirmEmailByLink: one for a password': {
    cells: [404, 404, 404, 404, 404, 404],
    call: async (caller, scene) => caller.account.confirmEmailByLink({ link: await createPasswordLink(scene) }),
  },
  'account.sessions': { cells: personal, call: (caller) => caller.account.sessions() },
  'account.revokeSession: own': {
    cells: personal,
    call: (caller, { self, other }) => caller.account.revokeSession({ id: (self ?? other).sessionId }),
  },
  'account.revokeSession: another’s': {
    cells: [401, 404, 403, 404, 403, 404],
    call: (caller, { other }) => caller.account.revokeSession({ id: other.sessionId }),
  },
  'identity.show': { cells: personal, call: (caller) => caller.identity.show() },
  'identity.proveByPassword': {
    cells: personal,
    call: async (caller, { test, self }) => {
      if (!self) return caller.identity.proveByPassword({ password: PASSWORD })
      const person = await test.person({ role: self.viewer.role, shared: self.viewer.shared, password: PASSWORD })
      return test.as(person).identity.proveByPassword({ password: PASSWORD })
    },
  },
  'identity.beginTotp': { cells: personal, call: (caller) => caller.identity.beginTotp() },
  'identity.confirmTotp': {
    cells: personal,
    call: async (caller) => {
      const { setUp, secret } = await caller.identity.beginTotp()
      return caller.identity.confirmTotp({ setUp, code: currentCode(secret) })
    },
  },
  'identity.removeTotp': {
    cells: personal,
    call: async (caller, { test, self, other }) => {
      const { userId } = (self ?? other).viewer
      await test.app.db.totpFactor.create({ data: { userId, sealedSecret: '' } })
      return caller.identity.removeTotp()
    },
  },
  'identity.passkeys': { cells: personal, call: (caller) => caller.identity.passkeys() },
  'identity.beginPasskey': { cells: personal, call: (caller) => caller.identity.beginPasskey() },
  'identity.addPasskey': {
    cells: personal,
    call: async ({ identity }, { test }) => {
      const answer = createPasskey(test.origin).make(await identity.beginPasskey())
      return identity.addPasskey({ answer, name: 'a' })
    },
  },
  'identity.renamePasskey: own': {
    cells: personal,
    call: async ({ identity }, { test, self, other }) =>
      identity.renamePasskey({ id: await insertPasskey(test, self ?? other), name: 'b' }),
  },
  'identity.renamePasskey: another’s': {
    cells: [401, 404, 403, 404, 403, 404],
    call: async ({ identity }, { test, other }) =>
      identity.renamePasskey({ id: await insertPasskey(test, other), name: 'b' }),
  },
  'identity.removePasskey: own': {
    cells: personal,
    call: async ({ identity }, { test, self, other }) =>
      identity.removePasskey({ id: await insertPasskey(test, self ?? other) }),
  },
  'identity.removePasskey: another’s': {
    cells: [401, 404, 403, 404, 403, 404],
    call: async ({ identity }, { test, other }) => identity.removePasskey({ id: await insertPasskey(test, other) }),
  },
  'identity.beginPasskeyProof': {
    cells: personal,
    call: async ({ identity }, { test, self, other }) => {
      await insertPasskey(test, self ?? other)
      return identity.beginPasskeyProof()
    },
  },
  'identity.proveByPasskey': {
    cells: personal,
    call: async ({ identity }, { test, self }) => {
      const owner = self && !self.viewer.shared ? self : await test.person()
      const passkey = await addPasskey(test, owner)
      return identity.proveByPasskey({ answer: passkey.answer(await test.as(owner).identity.beginPasskeyProof()) })
    },
  },
  'identity.beginPasskeySignIn': { cells: everyone, call: (caller) => caller.identity.beginPasskeySignIn({}) },
  'identity.remakeRecoveryCodes': {
    cells: personal,
    call: async (caller, { test, self, other }) => {
      const { userId } = (self ?? other).viewer
      const factor = { userId, sealedSecret: '' }
      await test.app.db.totpFactor.upsert({ where: { userId }, create: factor, update: {} })
      return caller.identity.remakeRecoveryCodes()
    },
  },
  'identity.trustedDevices': { cells: personal, call: (caller) => caller.identity.trustedDevices() },
  'identity.untrustDevice: own': {
    cells: personal,
    call: async (caller, { test, self, other }) =>
      caller.identity.untrustDevice({ id: await insertTrusted(test, self ?? other) }),
  },
  'identity.linked': { cells: personal, call: (caller) => caller.identity.linked() },
  'identity.proofWays': { cells: personal, call: (caller) => caller.identity.proofWays() },
  'identity.beginLink': {
    cells: personal,
    call: async (caller, scene) => caller.identity.beginLink({ provider: await createProvider(scene) }),
  },
  'identity.beginProof': {
    cells: personal,
    call: async (caller, scene) => caller.identity.beginProof({ provider: await createProvider(scene) }),
  },
  'identity.unlink: own': {
    cells: personal,
    call: async (caller, scene) => caller.identity.unlink({ id: await createIdentity(scene, scene.self) }),
  },
  'identity.unlink: another’s': {
    cells: [401, 404, 403, 404, 403, 404],
    call: async (caller, scene) => caller.identity.unlink({ id: await createIdentity(scene, scene.other) }),
  },
  'provider.list': { cells: personalAdmins, call: (caller) => caller.provider.list() },
  // What is no address is refused after access was decided, and nobody is asked anything.
  'provider.test': {
    cells: [401, 403, 403, 403, 403, 400],
    call: (caller) => caller.provider.test({ issuer: 'none' }),
  },
  'provider.create': {
    cells: [401, 403, 403, 403, 403, 400],
    call: (caller) => caller.provider.create({ ...providerSettings, name: 'none', issuer: 'none' }),
  },
  'provider.update': {
    cells: superadmins,
    call: async (caller, scene) =>
      caller.provider.update({ ...providerSettings, name: await createProvider(scene), version: 1, isEnabled: false }),
  },
  'provider.delete': {
    cells: superadmins,
    call: async (caller, scene) => caller.provider.delete({ name: await createProvider(scene) }),
  },
  'provider.order': {
    cells: superadmins,
    call: async (caller, scene) => {
      await createProvider(scene)
      const providers = await scene.test.app.db.oidcProvider.findMany({ select: { name: true } })
      return caller.provider.order({ names: providers.map(({ name }) => name) })
    },
  },
  'identity.untrustDevice: another’s': {
    cells: [401, 404, 403, 404, 403, 404],
    call: async (caller, { test, other }) => caller.identity.untrustDevice({ id: await insertTrusted(test, other) }),
  },
  'account.signOutEverywhere': { cells: personal, call: (caller) => caller.account.signOutEverywhere() },
  'account.setDisplayName': {
    cells: personal,
    call: (caller) => caller.account.setDisplayName({ displayName: 'Ada' }),
  },
  'account.profile': { cells: personal, call: (caller) => caller.account.profile() },
  'account.setProfile': {
    cells: personal,
    call: (caller, { self }) =>
      caller.account.setProfile({ isOpen: true, name: (self?.sessionId ?? 'nobody').slice(-12), line: '' }),
  },
  'profile.show': {
    cells: [404, 404, 404, 404, 404, 404],
    call: (caller) => caller.profile.show({ name: 'nobody' }),
  },
  'account.setPicture': {
    // Without a file.
    cells: [401, 400, 403, 400, 403, 400],
    call: (caller) => Reflect.apply(caller.account.setPicture, null, [{}]),
  },
  'account.removePicture': { cells: personal, call: (caller) => caller.account.removePicture() },
  'account.previewDeletion': { cells: personal, call: (caller) => caller.account.previewDeletion() },
  'account.delete': {
    cells: personal,
    call: async (caller, { test, self }) => {
      if (!self) return caller.account.delete({ username: 'x', password: PASSWORD })
      const person = await test.person({ role: self.viewer.role, shared: self.viewer.shared, password: PASSWORD })
      return test.as(person).account.delete({ username: person.viewer.username, password: PASSWORD })
    },
  },
  'setup.createOwner': {
    cells: [404, 404, 404, 404, 404, 404],
    call: (caller, { test }) => {
      const code = setUpCode(test.app.config.secret)
      return caller.setup.createOwner({ code, username: name(), password: PASSWORD })
    },
  },

  'user.list': { cells: admins, call: (caller) => caller.user.list({}) },
  'user.create: a user': {
    cells: personalAdmins,
    call: (caller) => caller.user.create({ username: name() }),
  },
  'user.create: with a password': {
    cells: superadmins,
    call: (caller) => caller.user.create({ username: name(), password: PASSWORD }),
  },
  'user.create: an admin': {
    cells: superadmins,
    call: (caller) => caller.user.create({ username: name(), role: 'admin' }),
  },
  'user.create: a superadmin': {
    cells: superadmins,
    call: (caller) => caller.user.create({ username: name(), password: PASSWORD, role: 'superadmin' }),
  },
  'user.create: a shared account': {
    cells: superadmins,
    call: (caller) => caller.user.create({ username: name(), shared: true }),
  },
  'user.update: a role': {
    cells: superadmins,
    call: async (caller, scene) => caller.user.update({ id: await target(scene, 'user'), role: 'admin' }),
  },
  'user.update: an admin’s role': {
    cells: superadmins,
    call: async (caller, scene) => caller.user.update({ id: await target(scene, 'admin'), role: 'user' }),
  },
  'user.update: shared': {
    cells: superadmins,
    call: async (caller, scene) => caller.user.update({ id: await target(scene, 'user'), shared: true }),
  },
  'user.update: a quota': {
    cells: superadmins,
    call: async (caller, scene) => caller.user.update({ id: await target(scene, 'user'), quotaBytes: 1_000 }),
  },
  'user.setQuotas': {
    cells: superadmins,
    call: async (caller, scene) =>
      caller.user.setQuotas({ changes: [{ id: await target(scene, 'user'), quotaBytes: 1_000 }] }),
  },
  ...forTargets('user.ban', (caller, id) => caller.user.ban({ id })),
  ...forTargets('user.unban', (caller, id) => caller.user.unban({ id })),
  'user.resetFactors': {
    cells: superadmins,
    call: async (caller, scene) => caller.user.resetFactors({ id: await target(scene, 'user') }),
  },
  ...forTargets('user.resetPassword', (caller, id) => caller.user.resetPassword({ id })),
  ...Object.fromEntries(
    (['user', 'admin', 'superadmin'] as const).map((role): [string, Row] => [
      `user.delete: a ${role}`,
      {
        cells: superadmins,
        call: async (caller, scene) => caller.user.delete({ id: await target(scene, role) }),
      },
    ]),
  ),

  'access.list': { cells: superadmins, call: (caller) => caller.access.list() },
  'access.setRule': {
    cells: superadmins,
    call: (caller) => caller.access.setRule({ cidr: '192.0.2.0/24', verdict: 'deny' }),
  },
  'access.removeRule': { cells: superadmins, call: (caller) => caller.access.removeRule({ cidr: '192.0.2.0/24' }) },
  'access.setHotlink': {
    cells: superadmins,
    call: (caller) => caller.access.setHotlink({ isOn: false, sites: [], allowsEmpty: true, answer: 'refusal' }),
  },

  'limits.list': { cells: admins, call: (caller) => caller.limits.list() },
  'limits.blocks': { cells: superadmins, call: (caller) => caller.limits.blocks() },
  'limits.explain': {
    cells: personalAdmins,
    call: (caller, { other }) => caller.limits.explain({ procedure: 'image.list', subject: other.viewer.userId }),
  },
  'limits.refusal': { cells: superadmins, call: (caller) => caller.limits.refusal({ requestId: 'unknown' }) },
  'limits.mine': { cells: everyone, call: (caller) => caller.limits.mine() },
  'limits.override': {
    cells: superadmins,
    call: (caller) => caller.limits.override({ ruleSet: 'view', target: { kind: 'all' }, terms: { wait: null } }),
  },
  'limits.clear': {
    cells: superadmins,
    call: (caller) => caller.limits.clear({ ruleSet: 'view', target: { kind: 'all' } }),
  },
  'limits.setRuleSet': {
    cells: superadmins,
    call: (caller) =>
      caller.limits.setRuleSet({
        name: 'extra',
        procedure: 'image.list',
        set: { by: 'ip', rules: [{ limit: 900, window: '1m' }] },
      }),
  },
  'limits.removeRuleSet': {
    cells: superadmins,
    call: (caller) => caller.limits.removeRuleSet({ name: 'extra', procedure: 'image.list' }),
  },
  'limits.export': { cells: superadmins, call: (caller) => caller.limits.export() },
  'limits.import': {
    cells: superadmins,
    call: (caller) => caller.limits.import({ file: { version: 1 }, dryRun: true }),
  },
  'limits.reset': {
    cells: superadmins,
    call: (caller, { other }) => caller.limits.reset({ ruleSet: 'view', subject: other.viewer.userId }),
  },
  'limits.history': { cells: superadmins, call: (caller) => caller.limits.history({}) },
  'limits.stats': { cells: admins, call: (caller) => caller.limits.stats() },
  'limits.live': {
    cells: admins,
    call: async (caller) => {
      for await (const { processes } of await caller.limits.live()) return processes
    },
  },

  'audit.list': { cells: personalAdmins, call: (caller) => caller.audit.list({}) },
  'audit.mine': { cells: personal, call: (caller) => caller.audit.mine({}) },
  'audit.export': { cells: superadmins, call: (caller) => caller.audit.export({ format: 'csv' }) },

  'budget.overview': { cells: superadmins, call: (caller) => caller.budget.overview() },
  'budget.alerts': { cells: superadmins, call: (caller) => caller.budget.alerts() },
  'budget.mine': { cells: signedIn, call: (caller) => caller.budget.mine() },
  'budget.set': {
    cells: superadmins,
    call: (caller) => caller.budget.set({ period: 'day', unit: 'reads', limit: 1e9 }),
  },
  'budget.setPrices': { cells: superadmins, call: (caller) => caller.budget.setPrices({ prices: null }) },
  'budget.setFreeTier': { cells: superadmins, call: (caller) => caller.budget.setFreeTier({ on: false }) },

  'job.list': { cells: admins, call: (caller) => caller.job.list() },
  ...Object.fromEntries(
    (['retry', 'discard'] as const).map((change): [string, Row] => [
      `job.${change}`,
      {
        cells: superadmins,
        call: async (caller, { test }) => caller.job[change]({ id: await waitingJob(test.app.db) }),
      },
    ]),
  ),
  'mail.test': { cells: superadmins, call: (caller) => caller.mail.test({ to: 'ada@example.org' }) },
  'webhook.show': { cells: superadmins, call: (caller) => caller.webhook.show() },
  'webhook.test': { cells: superadmins, call: (caller) => caller.webhook.test() },
  'backup.show': { cells: superadmins, call: (caller) => caller.backup.show() },
  'backup.start': { cells: superadmins, call: (caller) => caller.backup.start() },
  'site.maintenance': { cells: superadmins, call: (caller) => caller.site.maintenance() },

  'report.create': {
    cells: everyone,
    call: async (caller, scene) =>
      caller.report.create({ image: { id: (await othersImage(scene, { visibility: 'link' })).id }, reason: 'spam' }),
  },
  'report.create: of another’s private image': {
    cells: [404, 404, 404, 404, 404, 'ok'],
    call: async (caller, scene) =>
      caller.report.create({ image: { id: (await othersImage(scene, { visibility: 'private' })).id }, reason: 'spam' }),
  },
  'report.list': { cells: admins, call: (caller) => caller.report.list() },
  'report.resolve': {
    cells: personalAdmins,
    call: async (caller, scene) => caller.report.resolve({ id: await createReport(scene), act: 'trash' }),
  },
  'report.reopen': {
    cells: personalAdmins,
    call: async (caller, scene) => caller.report.reopen({ id: await createReport(scene) }),
  },
  'guest.upload': {
    // Off, as by default; those who are signed in upload as themselves.
    cells: [403, 403, 403, 403, 403, 403],
    call: (caller) => Reflect.apply(caller.guest.upload, null, [new ReadableStream()]),
  },
  'guest.list': { cells: admins, call: (caller) => caller.guest.list() },
  'guest.approve': {
    cells: personalAdmins,
    call: async (caller, scene) => caller.guest.approve({ id: await createPending(scene) }),
  },
  'guest.reject': {
    cells: personalAdmins,
    call: async (caller, scene) => caller.guest.reject({ id: await createPending(scene) }),
  },
  'image.get: a guest’s, awaiting approval': {
    cells: [404, 404, 404, 'ok', 'ok', 'ok'],
    call: async (caller, scene) => caller.image.get({ id: await createPending(scene) }),
  },
  'share.create': {
    cells: personal,
    call: async (caller, scene) =>
      caller.share.create({ target: { images: [(await ownImage(scene, { visibility: 'private' })).id] } }),
  },
  'share.create: of another’s public image': {
    cells: [401, 404, 403, 404, 403, 'ok'],
    call: async (caller, scene) =>
      caller.share.create({ target: { images: [(await othersImage(scene, { visibility: 'public' })).id] } }),
  },
  'share.export': { cells: personal, call: (caller) => caller.share.export() },
  'share.restore': {
    cells: personal,
    call: async (caller, scene) =>
      caller.share.restore({ ...restored, target: { images: [{ id: (await ownImage(scene)).id, position: 0 }] } }),
  },
  'share.restore: of another’s public image': {
    cells: [401, 404, 403, 404, 403, 404],
    call: async (caller, scene) => {
      const { id } = await othersImage(scene, { visibility: 'public' })
      return caller.share.restore({ ...restored, target: { images: [{ id, position: 0 }] } })
    },
  },
  'share.list': { cells: personal, call: (caller) => caller.share.list() },
  'share.list: all': {
    cells: [401, 403, 403, 403, 403, 'ok'],
    call: (caller) => caller.share.list({ scope: 'all' }),
  },
  ...Object.fromEntries(
    (['own', 'another’s'] as const).flatMap((whose): readonly (readonly [string, Row])[] => {
      const cells: Cells = whose === 'own' ? personal : [401, 404, 403, 404, 403, 'ok']
      const make = (scene: Scene) => createShare(scene, whose === 'own' ? (scene.self ?? scene.other) : scene.other)
      return [
        [`share.use: ${whose}`, { cells, call: async ({ share }, scene) => share.use({ id: (await make(scene)).id }) }],
        [
          `share.update: ${whose}`,
          { cells, call: async ({ share }, scene) => share.update({ id: (await make(scene)).id, title: 'A title' }) },
        ],
        [
          `share.revoke: ${whose}`,
          { cells, call: async ({ share }, scene) => share.revoke({ id: (await make(scene)).id }) },
        ],
      ]
    }),
  ),
  'share.open': {
    cells: everyone,
    call: async (caller, scene) => caller.share.open({ token: (await createShare(scene, scene.other)).token }),
  },
  'share.open: a wrong one': {
    cells: [404, 404, 404, 404, 404, 404],
    call: (caller) => caller.share.open({ token: 'x' }),
  },
  'token.create': {
    cells: personal,
    call: (caller) => caller.token.create({ name: 'a program', scopes: ['read'], expiresInDays: 30 }),
  },
  'token.revokeThis': { cells: personal, call: (caller) => caller.token.revokeThis() },
  'token.list': { cells: personal, call: (caller) => caller.token.list() },
  ...Object.fromEntries(
    (['own', 'another’s'] as const).map((whose): [string, Row] => [
      `token.revoke: ${whose}`,
      {
        cells: whose === 'own' ? personal : [401, 404, 403, 404, 403, 404],
        call: async (caller, { test, self, other }) => {
          const { id } = await insertToken(test, whose === 'own' ? (self ?? other) : other, ['read'])
          return caller.token.revoke({ id })
        },
      },
    ]),
  ),

  'invite.create': { cells: personalAdmins, call: (caller) => caller.invite.create({}) },
  'invite.create: by mail': {
    cells: personalAdmins,
    call: (caller) => caller.invite.create({ email: `${name()}@example.org` }),
  },
  'invite.list': { cells: personalAdmins, call: (caller) => caller.invite.list() },
  'invite.revoke': {
    cells: personalAdmins,
    call: async (caller, { test, other }) => {
      const { id } = await test.app.db.invite.create({
        data: {
          codeHash: crypto.randomUUID(),
          createdById: other.viewer.userId,
          usesLeft: 1,
          expiresAt: new Date(Date.now() + 60_000),
        },
      })
      return caller.invite.revoke({ id })
    },
  },

  // 400 shows that access was granted and the input, which is not a stream, was read.
  'image.upload': {
    cells: [401, 400, 400, 400, 400, 400],
    call: (caller) => Reflect.apply(caller.image.upload, null, [{}]),
  },
  'image.exportPart': { cells: personal, call: (caller) => caller.image.exportPart({ part: 1 }) },
  'image.storage': { cells: signedIn, call: (caller) => caller.image.storage() },
  'image.list: the default': { cells: signedIn, call: (caller) => caller.image.list({}) },
  'image.list: one’s own': { cells: signedIn, call: (caller) => caller.image.list({ scope: 'mine' }) },
  'image.list: everyone’s': { cells: admins, call: (caller) => caller.image.list({ scope: 'all' }) },
  'image.list: a search': { cells: signedIn, call: (caller) => caller.image.list({ query: { text: 'a' } }) },
  'image.list: an unknown album': {
    cells: [404, 404, 404, 404, 404, 404],
    call: (caller) => caller.image.list({ query: { album: crypto.randomUUID() } }),
  },
  'image.count: one’s own': { cells: signedIn, call: (caller) => caller.image.count({ scope: 'mine' }) },
  'image.count: everyone’s': { cells: admins, call: (caller) => caller.image.count({ scope: 'all' }) },
  'image.timeline: one’s own': { cells: signedIn, call: (caller) => caller.image.timeline({ scope: 'mine' }) },
  'image.timeline: everyone’s': { cells: admins, call: (caller) => caller.image.timeline({ scope: 'all' }) },
  'view.list': { cells: signedIn, call: (caller) => caller.view.list() },
  'view.create': { cells: personal, call: (caller) => caller.view.create({ name: 'a', terms: {} }) },
  'view.update: another’s': {
    cells: [401, 404, 403, 404, 403, 'ok'],
    call: async (caller, scene) => caller.view.update({ id: await othersView(scene), name: 'b' }),
  },
  'view.delete: another’s': {
    cells: [401, 404, 403, 404, 403, 'ok'],
    call: async (caller, scene) => caller.view.delete({ id: await othersView(scene) }),
  },
  'site.public': { cells: everyone, call: (caller) => caller.site.public() },
  'site.uploadImage': {
    // Without a file.
    cells: [401, 403, 403, 403, 403, 400],
    call: (caller) => Reflect.apply(caller.site.uploadImage, null, [{}]),
  },
  'site.settings': { cells: personalAdmins, call: (caller) => caller.site.settings() },
  'site.update': {
    cells: superadmins,
    call: async (caller, { test }) => {
      const row = await test.app.db.siteSettings.findUnique({ where: { id: 1 } })
      return caller.site.update({ version: row?.version ?? 0, change: { SLUICE_CACHE_SECONDS: '299' } })
    },
  },
  'image.list: the gallery, off': {
    cells: [401, 403, 403, 403, 403, 403],
    call: (caller) => caller.image.list({ scope: 'gallery' }),
  },
  ...forImages('image.get', (caller, id) => caller.image.get({ id }), {
    own: everyone,
    private: [404, 404, 404, 404, 404, 'ok'],
    link: everyone,
    public: everyone,
    trashed: [404, 404, 404, 'ok', 'ok', 'ok'],
  }),
  'image.neighbours: in the gallery, off': {
    cells: [401, 403, 403, 403, 403, 403],
    call: async (caller, scene) => caller.image.neighbours({ id: (await ownImage(scene)).id, scope: 'gallery' }),
  },
  ...forImages('image.neighbours', (caller, id) => caller.image.neighbours({ id }), {
    own: signedIn,
    private: [404, 404, 404, 404, 404, 'ok'],
    link: signedIn,
    public: signedIn,
    trashed: [404, 404, 404, 'ok', 'ok', 'ok'],
  }),
  ...forImages('image.download', (caller, id) => caller.image.download({ id }), {
    own: everyone,
    private: [404, 404, 404, 404, 404, 'ok'],
    link: everyone,
    public: everyone,
    trashed: [404, 404, 404, 'ok', 'ok', 'ok'],
  }),
  ...forImages(
    'image.downloadMany',
    async (caller, id) => {
      const { items } = await caller.image.downloadMany({ ids: [id] })
      expect(items).toEqual([{ id, outcome: 'done' }])
    },
    {
      own: signedIn,
      private: [401, 404, 404, 404, 404, 'ok'],
      link: signedIn,
      public: signedIn,
      trashed: [401, 404, 404, 'ok', 'ok', 'ok'],
    },
  ),
  ...forImages('image.update', (caller, id) => caller.image.update({ id, title: 'changed' }), editing),
  ...forImages('image.usage', (caller, id) => caller.image.usage({ id }), editing),
  ...forImages('image.delete', (caller, id) => caller.image.delete({ id }), trashing),
  ...forImages('image.restore', (caller, id) => caller.image.restore({ id }), trashing),
  ...forImages(
    'image.deleteMany',
    asSingle((caller, ids) => caller.image.deleteMany({ ids })),
    trashing,
  ),
  ...forImages(
    'image.restoreMany',
    asSingle((caller, ids) => caller.image.restoreMany({ ids })),
    trashing,
  ),
  ...forImages(
    'image.setVisibilityMany',
    asSingle((caller, ids) => caller.image.setVisibilityMany({ ids, visibility: 'private' })),
    editing,
  ),
  ...forImages('image.favourite', (caller, id) => caller.image.favourite({ id, favourite: true }), marking),
  ...forImages(
    'image.favouriteMany',
    asSingle((caller, ids) => caller.image.favouriteMany({ ids, favourite: true })),
    marking,
  ),
  ...forImages(
    'tag.add',
    asSingle((caller, images) => caller.tag.add({ images, tags: ['sea'] })),
    tagging,
  ),
  ...forImages(
    'tag.remove',
    asSingle((caller, images) => caller.tag.remove({ images, tags: ['sea'] })),
    tagging,
  ),
  'tag.list': { cells: signedIn, call: (caller) => caller.tag.list({}) },
  ...forTags('tag.rename', (caller, id) => caller.tag.rename({ id, name: name() })),
  ...forTags('tag.delete', (caller, id) => caller.tag.delete({ id })),
  'library.show': { cells: personal, call: (caller) => caller.library.show() },
  ...forAlbums('library.places', (caller, { id }) => caller.library.places({ id }), {
    own: personal,
    private: [401, 404, 403, 404, 403, 404],
    link: [401, 404, 403, 404, 403, 404],
    public: [401, 404, 403, 404, 403, 404],
    deleted: [401, 404, 403, 404, 403, 404],
  }),
  'library.restore': {
    cells: personal,
    call: (caller) => caller.library.restore({ items: [{ id: crypto.randomUUID(), title: 'a' }] }),
  },
  'album.create': { cells: keepers, call: (caller) => caller.album.create({ title: 'Summer' }) },
  'album.list: the default': { cells: signedIn, call: (caller) => caller.album.list({}) },
  'album.list: everyone’s': { cells: admins, call: (caller) => caller.album.list({ scope: 'all' }) },
  'album.list: the gallery, off': {
    cells: [401, 403, 403, 403, 403, 403],
    call: (caller) => caller.album.list({ scope: 'gallery' }),
  },
  ...forAlbums('album.get', (caller, { id }) => caller.album.get({ id }), {
    own: everyone,
    private: [404, 404, 404, 404, 404, 'ok'],
    link: everyone,
    public: everyone,
    deleted: [404, 404, 404, 404, 404, 404],
  }),
  ...forAlbums('album.get by slug', (caller, { slug }) => caller.album.get({ slug }), {
    own: everyone,
    private: [404, 404, 404, 404, 404, 'ok'],
    link: everyone,
    public: everyone,
    deleted: [404, 404, 404, 404, 404, 404],
  }),
  ...forAlbums('album.images', (caller, { id }) => caller.album.images({ id }), {
    own: everyone,
    private: [404, 404, 404, 404, 404, 'ok'],
    link: everyone,
    public: everyone,
    deleted: [404, 404, 404, 404, 404, 404],
  }),
  // It has no images.
  ...forAlbums('album.zip', (caller, { id }) => caller.album.zip({ id }), {
    own: [404, 404, 404, 404, 404, 404],
    private: [404, 404, 404, 404, 404, 404],
    link: [404, 404, 404, 404, 404, 404],
    public: [404, 404, 404, 404, 404, 404],
    deleted: [404, 404, 404, 404, 404, 404],
  }),
  ...forAlbums('album.update', (caller, { id }) => caller.album.update({ id, title: 'Winter' }), filing),
  ...forAlbums('album.update, to hide it', (caller, { id }) => caller.album.update({ id, visibility: 'private' }), {
    ...filing,
    public: [401, 403, 403, 'ok', 403, 'ok'],
  }),
  ...forAlbums('album.delete', (caller, { id }) => caller.album.delete({ id }), filing),
  ...forAlbums('album.restore', (caller, { id }) => caller.album.restore({ id }), {
    own: [401, 'ok', 'ok', 'ok', 404, 'ok'],
    private: [401, 404, 404, 404, 404, 'ok'],
    link: [401, 404, 404, 404, 404, 'ok'],
    public: [401, 404, 404, 404, 404, 'ok'],
    deleted: [401, 404, 404, 404, 404, 'ok'],
  }),
  ...forAlbums('album.add', (caller, { id }) => caller.album.add({ id, images: [crypto.randomUUID()] }), filing),
  ...forAlbums('album.remove', (caller, { id }) => caller.album.remove({ id, images: [crypto.randomUUID()] }), filing),
  ...forAlbums(
    'album.move',
    (caller, { id }) => caller.album.move({ id, images: [crypto.randomUUID()], after: null }),
    filing,
  ),
  'album.add: another’s image': {
    cells: [401, 403, 403, 403, 403, 'ok'],
    call: async (caller, scene) => {
      const { id } = await ownAlbum(scene, { visibility: 'link' })
      const [item] = (await caller.album.add({ id, images: [(await othersImage(scene)).id] })).items
      if (item?.outcome === 'forbidden') throw new TRPCError({ code: 'FORBIDDEN' })
    },
  },
  'image.purge: own, from the trash': {
    cells: [401, 'ok', 403, 'ok', 403, 'ok'],
    call: async (caller, scene) => caller.image.purge({ id: (await ownImage(scene, { trashed: true })).id }),
  },
  'image.purge: another’s, from the trash': {
    cells: [401, 404, 403, 404, 403, 'ok'],
    call: async (caller, scene) => caller.image.purge({ id: (await othersImage(scene, { trashed: true })).id }),
  },
  'image.purgeMany: own, from the trash': {
    cells: [401, 'ok', 403, 'ok', 403, 'ok'],
    call: async (caller, scene) => purgeOne(caller, (await ownImage(scene, { trashed: true })).id),
  },
  'image.purgeMany: another’s, from the trash': {
    cells: [401, 404, 403, 404, 403, 'ok'],
    call: async (caller, scene) => purgeOne(caller, (await othersImage(scene, { trashed: true })).id),
  },
  'image.showByLink': {
    cells: everyone,
    call: async (caller, scene) => caller.image.showByLink({ link: await createDeletionLink(scene) }),
  },
  'image.deleteByLink': {
    cells: everyone,
    call: async (caller, scene) => caller.image.deleteByLink({ link: await createDeletionLink(scene) }),
  },
}

/** Rows for a tag of the caller's own, and for another's. */
function forTags(path: string, call: (caller: TestCaller, id: string) => Promise<unknown>): Record<string, Row> {
  const row = (whose: 'own' | 'another’s', cells: Cells): [string, Row] => [
    `${path}: ${whose}`,
    {
      cells,
      call: async (caller, { test, self, other }) => {
        const ownerId = (whose === 'own' ? (self ?? other) : other).viewer.userId
        const word = name()
        const { id } = await test.app.db.tag.create({ data: { ownerId, name: word, nameKey: word } })
        return call(caller, id)
      },
    },
  ]
  return Object.fromEntries([row('own', personal), row('another’s', [401, 404, 403, 404, 403, 'ok'])])
}

const purgeOne = asSingle((caller, ids) => caller.image.purgeMany({ ids }))

/** Makes a bulk call for one image, and throws its outcome unless it is done. */
function asSingle(
  call: (caller: TestCaller, ids: string[]) => Promise<BulkAnswer | Awaited<ReturnType<TestCaller['tag']['add']>>>,
) {
  return async (caller: TestCaller, id: string): Promise<void> => {
    const { items } = await call(caller, [id])
    expect(items.map((item) => item.id)).toEqual([id])
    for (const { outcome } of items)
      if (outcome !== 'done') throw new TRPCError({ code: bulkCodes[outcome], message: '' })
  }
}

const bulkCodes = {
  'not-found': 'NOT_FOUND',
  forbidden: 'FORBIDDEN',
  limited: 'TOO_MANY_REQUESTS',
  'too-many-tags': 'CONFLICT',
  'not-in-trash': 'PRECONDITION_FAILED',
} as const

type ImageCase = 'own' | 'private' | 'link' | 'public' | 'trashed'

/** Rows for the caller's own private image, for another user's by visibility, and for another user's public one in the trash. */
function forImages(
  path: string,
  call: (caller: TestCaller, id: string) => Promise<unknown>,
  cells: Readonly<Record<ImageCase, Cells>>,
): Record<string, Row> {
  const row = (kind: ImageCase, make: (scene: Scene) => Promise<{ id: string }>): [string, Row] => [
    `${path}: ${kind === 'own' ? 'own' : `another’s, ${kind}`}`,
    { cells: cells[kind], call: async (caller, scene) => call(caller, (await make(scene)).id) },
  ]
  return Object.fromEntries([
    row('own', (scene) => ownImage(scene, { visibility: scene.self ? 'private' : 'link' })),
    row('private', (scene) => othersImage(scene, { visibility: 'private' })),
    row('link', (scene) => othersImage(scene, { visibility: 'link' })),
    row('public', (scene) => othersImage(scene, { visibility: 'public' })),
    row('trashed', (scene) => othersImage(scene, { visibility: 'public', trashed: true })),
  ])
}

type AlbumCase = 'own' | 'private' | 'link' | 'public' | 'deleted'

/** Rows for the caller's own album, which is private, for another user's by visibility, and for another user's deleted public one. */
function forAlbums(
  path: string,
  call: (caller: TestCaller, album: { id: string; slug: string }) => Promise<unknown>,
  cells: Readonly<Record<AlbumCase, Cells>>,
): Record<string, Row> {
  const [procedure, ...how] = path.split(/(?= by |, )/)
  const row = (kind: AlbumCase, make: (scene: Scene) => Promise<{ id: string; slug: string }>): [string, Row] => [
    `${procedure}: ${[kind === 'own' ? 'own' : `another’s, ${kind}`, ...how].join('')}`,
    { cells: cells[kind], call: async (caller, scene) => call(caller, await make(scene)) },
  ]
  return Object.fromEntries([
    row('own', (scene) => ownAlbum(scene, { visibility: scene.self ? 'private' : 'link' })),
    ...(['private', 'link', 'public'] as const).map((visibility) =>
      row(visibility, (scene) => album(scene, scene.other, { visibility })),
    ),
    row('deleted', (scene) => album(scene, scene.other, { visibility: 'public', deleted: true })),
  ])
}

/** Rows for a procedure that an admin may call on users only. */
function forTargets(path: string, call: (caller: TestCaller, id: string) => Promise<unknown>): Record<string, Row> {
  return {
    [`${path}: a user`]: {
      cells: personalAdmins,
      call: async (caller, scene) => call(caller, await target(scene, 'user')),
    },
    [`${path}: an admin`]: {
      cells: superadmins,
      call: async (caller, scene) => call(caller, await target(scene, 'admin')),
    },
    [`${path}: a superadmin`]: {
      cells: superadmins,
      call: async (caller, scene) => call(caller, await target(scene, 'superadmin')),
    },
  }
}

describe('access', () => {
  let test: TestApp
  let other: Person
  let mailServer: TestMailServer
  let find: Readonly<Record<Kind, () => SignedIn | null>>
  beforeAll(async () => {
    mailServer = await startMailServer()
    test = await startApp({
      ...{ SLUICE_SIGNUP: 'open', SLUICE_WEBHOOK: 'http://127.0.0.1:9/' },
      ...{ SLUICE_MAIL_SERVER: `smtp://127.0.0.1:${mailServer.port}`, SLUICE_MAIL_FROM: 'sluice@example.org' },
      // Backups are queued, and then fail.
      SLUICE_BACKUP_FOLDER: '/nonexistent/backups',
    })
    other = await test.person()
    const many = (kind: keyof typeof RIGHTS) => manyPeople(test.app, Object.keys(table).length, RIGHTS[kind])
    find = {
      guest: () => null,
      user: await many('user'),
      sharedUser: await many('sharedUser'),
      admin: await many('admin'),
      sharedAdmin: await many('sharedAdmin'),
      superadmin: await many('superadmin'),
    }
  })
  afterAll(async () => {
    await test[Symbol.asyncDispose]()
    await mailServer[Symbol.asyncDispose]()
  })

  it('has a row for every procedure of the router, and no others', () => {
    const paths = new Set(Object.keys(table).map((row) => row.split(':')[0]))
    expect([...paths].sort()).toEqual(Object.keys(appRouter._def.procedures).sort())
  })

  it.each(Object.values(RIGHTS))('a banned account is a guest, with the rights %j', async (rights) => {
    const person = await test.person(rights)
    expect(await test.app.findViewer({ cookie: person.cookie })).toEqual(person.viewer)
    await test.app.db.user.update({ where: { id: person.viewer.userId }, data: { bannedAt: new Date() } })
    expect(await test.app.findViewer({ cookie: person.cookie })).toBeNull()
  })

  const cells = Object.entries(table).flatMap(([row, { cells, call }]) =>
    KINDS.map((kind, column) => ({ row, kind, call, expected: cells[column] })),
  )

  it.each(cells)('$row, as $kind: $expected', async ({ kind, call, expected }) => {
    // A new account and address for each cell, so that no limit interferes.
    const self = find[kind]()
    const caller = test.as(self, `198.51.${Math.floor(Math.random() * 256)}.${Math.floor(Math.random() * 256)}`)
    expect(await findOutcome(call(caller, { test, self, other }))).toBe(expected)
  })
})

describe('access by token', () => {
  let test: TestApp
  let other: Person
  let find: Readonly<Record<'user' | 'superadmin', () => SignedIn>>
  beforeAll(async () => {
    test = await startApp({ SLUICE_SIGNUP: 'open' })
    other = await test.person()
    const many = (kind: 'user' | 'superadmin') => manyPeople(test.app, open.length, RIGHTS[kind])
    find = { user: await many('user'), superadmin: await many('superadmin') }
  })
  afterAll(() => test[Symbol.asyncDispose]())

  const meta = z.object({ scope: z.enum([...scopes, 'any']).optional() })
  const procedures = declaredLimits(appRouter).map(({ path, procedure: { _def } }) => {
    return { path, type: _def.type, scope: meta.parse(_def.meta).scope }
  })
  const opensTo = (scope: Scope | 'any' | undefined, own: Scope) => scope === 'any' || scope === own

  it.each(scopes)('with the scope %s alone: exactly the procedures of that scope', async (own) => {
    // A superadmin's token, which cannot administer either.
    const owner = await test.person({ role: 'superadmin' })
    const call = async ({ path, type }: (typeof procedures)[number]) => {
      // A token for each call, so that its limits do not interfere.
      const { headers } = await insertToken(test, owner, [own])
      const body = type === 'mutation' && { method: 'POST', body: '{}' }
      const json = { ...headers, 'content-type': 'application/json' }
      const answer = await fetch(`${test.origin}/api/trpc/${path}`, { ...body, headers: json })
      // A stream reports its refusal in an event.
      const [, reason] = /"reason":"([a-z-]+)"/.exec(await answer.text()) ?? []
      return [path, reason ?? (answer.status === 401 || answer.status === 403 ? answer.status : 'may')]
    }
    const answers = await Promise.all(procedures.map(call))
    const expected = procedures.map(({ path, scope }) => [path, opensTo(scope, own) ? 'may' : 'token-scope'])
    expect(answers).toEqual(expected)
  })

  it.each(scopes)(
    'with the scope %s alone: any other call is charged to the token, and to nobody else',
    async (own) => {
      const obtain = vi.spyOn(test.app.limiter, 'obtain')
      const owner = await test.person()
      const seen: Record<string, string[]> = {}
      const closed = procedures.filter(({ scope }) => !opensTo(scope, own))
      for (const { path } of closed) {
        const token = { id: crypto.randomUUID(), scopes: [own], isSuperadmins: false }
        const program = test.as({ ...owner, viewer: { ...owner.viewer, sessionId: null, token } })
        const refusal = await findOutcome(Promise.resolve(callAt(program, path)))
        expect([path, refusal]).toEqual([path, 403])
        const requests = obtain.mock.calls.flatMap(([asked]) => asked)
        seen[path] = requests.flatMap(({ sets }) => sets.map(({ facts }) => facts.name))
        obtain.mockClear()
      }
      expect(seen).toEqual(Object.fromEntries(closed.map(({ path }) => [path, ['token-read']])))
    },
  )

  const open = Object.entries(table).flatMap(([row, { call, cells }]) => {
    const scope = procedures.find(({ path }) => path === row.split(':')[0])?.scope
    return scope ? [{ row, call, scope, expected: cells[KINDS.indexOf('user')] }] : []
  })

  it.each(open)('$row: the same as its owner with the role user, even for a superadmin: $expected', async (each) => {
    const { call, scope, expected } = each
    for (const role of ['user', 'superadmin'] as const) {
      const self = find[role]()
      const token = { id: crypto.randomUUID(), scopes: scope === 'any' ? [] : [scope], isSuperadmins: role !== 'user' }
      const program = { ...self, viewer: { ...self.viewer, role: 'user' as const, sessionId: null, token } }
      expect(await findOutcome(call(test.as(program), { test, self: program, other }))).toBe(expected)
    }
  })
})

/** Calls a procedure without input. */
function callAt(caller: TestCaller, path: string): unknown {
  const procedure = path.split('.').reduce<unknown>((at, name) => Reflect.get(Object(at), name), caller)
  if (typeof procedure !== 'function') throw new Error(`there is no ${path}`)
  return Reflect.apply(procedure, caller, [])
}

async function findOutcome(call: Promise<unknown>): Promise<Cell | string> {
  try {
    await call
    return 'ok'
  } catch (error) {
    if (!(error instanceof TRPCError)) throw error
    const statuses: Record<string, Cell> = { BAD_REQUEST: 400, UNAUTHORIZED: 401, FORBIDDEN: 403, NOT_FOUND: 404 }
    return statuses[error.code] ?? error.code
  }
}
