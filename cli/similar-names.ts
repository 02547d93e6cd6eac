/** Which of `names`, of one word or more, somebody may have meant who typed `words`: those that go on as they begin, or that are
 *  the fewest slips away. None where all are far. */
export function similarNames(names: readonly string[], words: readonly string[]): readonly string[] {
  const near = (slips: number) =>
    names.filter((name) => {
      const typed = words.slice(0, name.split(' ').length).join(' ')
      return name.startsWith(`${typed} `) || isWithin(slips, typed, name)
    })
  return [near(1), near(2)].find((found) => found.length > 0) ?? []
}

/** Whether so many slips at most make one of the other: a letter too many or too few, another one, or two that are swapped. */
function isWithin(slips: number, one: string, other: string): boolean {
  if (one === other) return true
  if (slips === 0) return false
  let same = 0
  while (one[same] === other[same]) same += 1
  const [a, b] = [one.slice(same), other.slice(same)]
  const isSwapped = a.length > 1 && a[0] === b[1] && a[1] === b[0]
  return (
    isWithin(slips - 1, a.slice(1), b) ||
    isWithin(slips - 1, a, b.slice(1)) ||
    isWithin(slips - 1, a.slice(1), b.slice(1)) ||
    (isSwapped && isWithin(slips - 1, a.slice(2), b.slice(2)))
  )
}
