/** Returns which of `names`, of one word or more, the user may have meant by `words`: those that start with them, or with the
 *  fewest typing errors, at most two. */
export function similarNames(names: readonly string[], words: readonly string[]): readonly string[] {
  const near = (errors: number) =>
    names.filter((name) => {
      const typed = words.slice(0, name.split(' ').length).join(' ')
      return name.startsWith(`${typed} `) || isWithin(errors, typed, name)
    })
  return [near(1), near(2)].find((found) => found.length > 0) ?? []
}

/** Returns whether two texts differ by at most so many insertions, deletions, substitutions or swaps of neighbours. */
function isWithin(errors: number, one: string, other: string): boolean {
  if (one === other) return true
  if (errors === 0) return false
  let same = 0
  while (one[same] === other[same]) same += 1
  const [a, b] = [one.slice(same), other.slice(same)]
  const isSwapped = a.length > 1 && a[0] === b[1] && a[1] === b[0]
  return (
    isWithin(errors - 1, a.slice(1), b) ||
    isWithin(errors - 1, a, b.slice(1)) ||
    isWithin(errors - 1, a.slice(1), b.slice(1)) ||
    (isSwapped && isWithin(errors - 1, a.slice(2), b.slice(2)))
  )
}
