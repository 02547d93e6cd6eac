import type { Command } from './command.ts'

/** Every command of `sluice`, in the order of its help. */
export const commands: readonly Command[] = []
