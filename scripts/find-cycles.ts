/** Returns groups of files that import each other, directly or through others, each sorted: Tarjan's strongly connected
 *  components. `imports` has the targets of each file; targets that are not keys themselves are ignored. */
export function findCycles(imports: ReadonlyMap<string, readonly string[]>): string[][] {
  const index = new Map<string, number>()
  const stack: string[] = []
  const onStack = new Set<string>()
  const cycles: string[][] = []

  const visit = (file: string): number => {
    const own = index.size
    index.set(file, own)
    stack.push(file)
    onStack.add(file)
    let low = own
    for (const target of imports.get(file) ?? []) {
      if (!imports.has(target)) continue
      const seen = index.get(target)
      if (seen === undefined) low = Math.min(low, visit(target))
      else if (onStack.has(target)) low = Math.min(low, seen)
    }
    if (low === own) {
      const members = stack.splice(stack.lastIndexOf(file))
      for (const member of members) onStack.delete(member)
      if (members.length > 1) cycles.push(members.toSorted())
    }
    return low
  }

  for (const file of imports.keys()) if (!index.has(file)) visit(file)
  return cycles
}
