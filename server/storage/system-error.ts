/** Whether an error came from a system call, as disk errors do. */
export function isSystemError(error: unknown): boolean {
  return error instanceof Error && 'syscall' in error
}
