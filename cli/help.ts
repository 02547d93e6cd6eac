import { translate } from '#messages/translate.ts'
import { type Command, groups } from './command.ts'

/** Columns of the narrowest usual terminal. */
const WIDTH = 80

/** Returns the list of all commands. */
export function overview(commands: readonly Command[]): string {
  const sections = groups.map((group) => {
    const rows = commands
      .filter((each) => each.group === group)
      .map(({ name, summary }) => [name, translateSummary(summary)])
    return { title: translate(`cliHelp.groups.${group}`), rows }
  })
  const options = [
    ['-h, --help', translate('cliHelp.options.help')],
    ['-v, --version', translate('cliHelp.options.version')],
  ]
  const width = Math.max(...commands.map(({ name }) => name.length))
  return [
    translate('cliHelp.call', { call: 'sluice <command> [options]' }),
    ...[...sections, { title: translate('cliHelp.optionsTitle'), rows: options }].map(({ title, rows }) =>
      [title, ...rowLines(rows, width)].join('\n'),
    ),
    translate('cliHelp.more', { call: 'sluice help <command>' }),
  ].join('\n\n')
}

/** Returns the help of one command: its summary, how to call it, its options and its notes. */
export function commandHelp({ name, summary, calls, options = {}, notes = [] }: Command): string {
  const rows = Object.entries(options).map(([option, key]) => [option, translate(`cliHelp.options.${key}`)])
  return [
    translateSummary(summary),
    calls.map((call) => translate('cliHelp.call', { call: `sluice ${name} ${call}`.trimEnd() })).join('\n'),
    rowLines(rows, Math.max(...rows.map(([option = '']) => option.length))).join('\n'),
    ...notes.map((note) => wrap(translate(`cliHelp.notes.${note}`), WIDTH).join('\n')),
  ]
    .filter((part) => part !== '')
    .join('\n\n')
}

const translateSummary = (key: Command['summary']): string => translate(`cliHelp.summaries.${key}`)

/** Two columns, the first one of `width`; the second wraps. */
function rowLines(rows: readonly (readonly string[])[], width: number): string[] {
  const indent = width + 4
  return rows.flatMap(([name = '', text = '']) =>
    wrap(text, WIDTH - indent).map((line, index) => `  ${(index === 0 ? name : '').padEnd(width)}  ${line}`),
  )
}

function wrap(text: string, width: number): string[] {
  const lines: string[] = []
  for (const word of text.split(' ')) {
    const longer = `${lines.at(-1) ?? ''} ${word}`.trimStart()
    if (lines.length > 0 && longer.length <= width) lines[lines.length - 1] = longer
    else lines.push(word)
  }
  return lines
}
