import { translate } from '#messages/translate.ts'
import { runBackup } from '#server/backups/run-backup.ts'
import type { ConfigWithoutSecret } from '#server/config.ts'
import { openDatabase } from '#server/database/database.ts'
import type { SchemaWanted } from '#server/database/schema-wanted.ts'
import { refuse } from '#server/errors/refuse.ts'
import { createAccount, createSignInLink, resetFactors, setAccountPassword } from '#server/owner/accounts.ts'
import { openBackup } from '#server/owner/backup/write-backup.ts'
import { describeRun } from '#server/owner/describe-run.ts'
import { openStorage } from '#server/owner/open-directly.ts'
import { readSiteValues } from '#server/site/settings.ts'
import { readSettingsRow } from '#server/site/settings-row.ts'
import type { OwnerAccess } from './owner-access.ts'

/** Runs the owner's commands in this process, and opens only what they need. Throws CannotStart. */
export async function openHere(
  config: ConfigWithoutSecret,
  wanted: SchemaWanted,
  say: (line: string) => void,
): Promise<OwnerAccess> {
  const { db, close } = await openDatabase(config, wanted)
  const opened = new AsyncDisposableStack()
  opened.defer(close)
  return {
    resetPassword: (input) => setAccountPassword(db, input),
    resetFactors: (input) => resetFactors(db, input),
    signInLink: (input) => createSignInLink(db, config, input),
    createUser: (input) => createAccount(db, input),
    async runBackup(signal) {
      const to = config.backup
      if (to === null) throw refuse('backup-nowhere')
      const { store, temp } = opened.use(await openStorage(db, config, say))
      const { texts } = await readSettingsRow(db)
      const { keep } = readSiteValues({ ...texts, ...config.site }).backups
      return describeRun(await runBackup({ db, store, temp, to, keep, cause: 'command', signal }))
    },
    examineLimits: needsServer,
    exportLimits: needsServer,
    importLimits: needsServer,
    async backup() {
      const { store, temp } = opened.use(await openStorage(db, config, say))
      const { manifest, body, ended } = await openBackup({ db, store, temp })
      return {
        objects: manifest.objects.count,
        bytes: manifest.objects.bytes + manifest.tables.reduce((sum, { bytes }) => sum + bytes, 0),
        body,
        finish: () => ended,
      }
    },
    [Symbol.asyncDispose]: () => opened.disposeAsync(),
  }
}

/** Limits are checked against what the server declares. */
const needsServer = async () => ({ refused: translate('cli.owner.limitsNeedServer') })
