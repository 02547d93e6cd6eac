/** Whether an error came from the system, as those of a disk do. */
export function isOfSystem(error: unknown): boolean {
  return error instanceof Error && 'syscall' in error
}
