import type { Outputs } from '#app/connection/trpc.ts'

export type Backups = Outputs['backup']['show']
export type BackupRun = Backups['runs'][number]
