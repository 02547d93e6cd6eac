'use client'

import { Download } from 'lucide-react'
import { Tab, TabList, TabPanel, Tabs } from 'react-aria-components'
import { Button } from '#app/ui/button.tsx'
import { CopyButton } from '#app/ui/copy-button.tsx'
import { saveText } from './save-text.ts'
import { type Setting, type ClientSettings as Settings, settingsOf } from './settings.ts'

interface Props {
  origin: string
  token: string
  /** Whether `token` only stands for one: a file with it would be of no use. */
  isExample?: boolean
}

/** Settings of the programs that upload, one program at a time, each setting a press away. */
export function ClientSettings({ origin, token, isExample = false }: Props) {
  const all = settingsOf(origin, token)
  return (
    <Tabs className="flex flex-col gap-4 outline-none">
      <TabList aria-label="Program" className="flex flex-wrap gap-1.5">
        {all.map(({ name }) => (
          <Tab
            key={name}
            id={name}
            className="flex h-8 cursor-pointer items-center rounded-md bg-sunken px-3 text-sm font-medium text-ink-soft ring-1 ring-line ring-inset hover:text-ink selected:bg-ink selected:text-ground selected:ring-ink"
          >
            {name}
          </Tab>
        ))}
      </TabList>
      {all.map((settings) => (
        <TabPanel key={settings.name} id={settings.name} className="flex flex-col gap-3">
          <Panel settings={settings} isExample={isExample} />
        </TabPanel>
      ))}
    </Tabs>
  )
}

function Panel({ settings: { where, fields, text, file }, isExample }: { settings: Settings; isExample: boolean }) {
  return (
    <>
      <p className="text-sm text-ink-soft">{where}</p>
      {file && isExample && <p className="text-sm text-ink-soft">The file comes with the token.</p>}
      {file && !isExample && (
        <Button size="small" className="self-start" onPress={() => saveText(file.name, file.value)}>
          <Download size={16} /> {file.name}
        </Button>
      )}
      {fields.length > 0 && (
        <ul className="overflow-hidden rounded-md border border-line bg-surface">
          {fields.map((field) => (
            <Line key={field.name} field={field} />
          ))}
        </ul>
      )}
      {text && (
        <div className="flex items-start gap-1 rounded-md border border-line bg-surface py-1 pr-1 pl-3">
          <pre className="min-w-0 flex-1 py-1.5 font-mono text-[0.8125rem] whitespace-pre-wrap wrap-anywhere">
            {text.value}
          </pre>
          <CopyButton text={text.value} label={`Copy ${text.name.toLowerCase()}`} />
        </div>
      )}
    </>
  )
}

function Line({ field: { name, value } }: { field: Setting }) {
  return (
    <li className="flex min-h-10 items-center gap-x-3 border-line py-1 pr-1 pl-3 not-last:border-b">
      <span className="w-28 shrink-0 text-sm break-words">{name}</span>
      <code className="min-w-0 flex-1 font-mono text-[0.8125rem] wrap-anywhere text-ink-soft">{value}</code>
      <CopyButton text={value} label={`Copy ${name}`} />
    </li>
  )
}
