/** What is said where a budget is spent, to anybody: `until` is the end of its period, null for a store that is full. */
export function spentMessage(until: Date | null): string {
  if (!until) return 'This site has reached the limit of what it stores: no image can be added right now.'
  const time = `${until.toISOString().slice(0, 16).replace('T', ' ')} UTC`
  return `This site has used up its budget for reading and storing images. Try again after ${time}.`
}
