/** Returns the tags in what was typed or pasted: separated by commas, semicolons or lines, each once. */
export function splitTags(typed: string): readonly string[] {
  const tags = typed.split(/[,，、;；\n]/).map((tag) => tag.trim())
  return [...new Set(tags.filter((tag) => tag !== ''))].slice(0, 20)
}
