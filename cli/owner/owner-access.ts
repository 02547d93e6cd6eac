import type { Readable } from 'node:stream'
import type { Role } from '#server/accounts/viewer.ts'
import type { CommandResult } from '#server/owner/accounts.ts'

/** A backup that is being received. */
export interface Incoming {
  readonly objects: number
  /** Approximate size. */
  readonly bytes: number
  readonly body: Readable
  /** Called after the last byte: throws CommandFailed if the backup is incomplete. */
  finish(): Promise<void>
}

/** The owner's commands on the server's machine, run by the running server or by the command itself. */
export interface OwnerAccess extends AsyncDisposable {
  resetPassword(input: { username: string; password: string }): Promise<CommandResult>
  resetFactors(input: { username: string }): Promise<CommandResult>
  signInLink(input: { username: string }): Promise<CommandResult>
  createUser(input: { username: string; password: string; role: Role }): Promise<CommandResult>
  backup(): Promise<Incoming>
  /** Makes a backup at the destination of the settings. Rejects with the reason why it failed. */
  runBackup(signal: AbortSignal): Promise<CommandResult>
  /** Prints a line for each stored limit that cannot work. */
  examineLimits(): Promise<CommandResult>
  exportLimits(): Promise<CommandResult>
  importLimits(input: { file: unknown; dryRun: boolean }): Promise<CommandResult>
}
