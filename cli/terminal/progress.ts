import { translate } from '#messages/translate.ts'

/** What is told of many files that move, on standard error; their addresses on standard output. */
export interface Progress {
  /** So many files and bytes more are to be moved. */
  expect(bytes: number): void
  /** One begins to move; again, when it is tried anew. */
  begin(name: string, bytes: number): FileProgress
  /** Everything waits. */
  wait(waitMs: number, why: string): void
  /** A line for people. */
  say(line: string): void
  /** A line for programs. */
  print(line: string): void
  /** Nothing moves any more. */
  end(): void
}

/** One file under way. */
export interface FileProgress {
  moved(bytes: number): void
  /** `isOver`: it is not tried again. */
  end(isOver: boolean): void
}

/** 'waiting 43 s: upload allows 60 per minute' */
export const waitLine = (waitMs: number, why: string): string => translate('cli.waiting', { why, wait: { waitMs } })
