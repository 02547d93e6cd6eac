import { translate } from '#messages/translate.ts'

/** Shows the transfer of many files on standard error; prints their addresses on standard output. */
export interface Progress {
  /** Adds one file of so many bytes to the total. */
  expect(bytes: number): void
  /** Starts one file, and starts it again when it is retried. */
  begin(name: string, bytes: number): FileProgress
  /** Shows that everything waits. */
  wait(waitMs: number, why: string): void
  /** Writes a line for people. */
  say(line: string): void
  /** Writes a line for programs. */
  print(line: string): void
  /** Removes the bars. */
  end(): void
}

/** One file in progress. */
export interface FileProgress {
  moved(bytes: number): void
  /** `isOver`: there will be no retry. */
  end(isOver: boolean): void
}

/** Returns 'waiting 43 s: upload limit reached (60 per minute)'. */
export const waitLine = (waitMs: number, why: string): string => translate('cli.waiting', { why, wait: { waitMs } })
