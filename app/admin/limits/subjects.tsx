'use client'

import { useMutation } from '@tanstack/react-query'
import { Ellipsis, Eraser, Pencil } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { MenuTrigger } from 'react-aria-components'
import { useTRPC } from '#app/connection/trpc.ts'
import { reportFailure } from '#app/limits/report-failure.tsx'
import { Button } from '#app/ui/button.tsx'
import { Confirm } from '#app/ui/confirm.tsx'
import { formatBytes, formatCount } from '#app/ui/format.ts'
import { Menu, MenuItem } from '#app/ui/menu.tsx'
import { Moment } from '#app/ui/moment.tsx'
import { toast } from '#app/ui/toast-queue.ts'
import { fullness, subjectWords } from './subject-words.ts'
import { type ChosenTarget, chosenOf } from './target-fields.tsx'
import type { RuleSetItem, Stats } from './types.ts'

interface Props {
  stats: Stats
  sets: readonly RuleSetItem[]
  /** Null for those who may only look. */
  onEdit: ((set: RuleSetItem, target: ChosenTarget) => void) | null
}

type Standing = Pick<Stats['nearest'][number], 'subject' | 'ruleSet' | 'policy'>

/** Who is nearest to a limit, and who was refused most. */
export function Subjects({ stats, sets, onEdit }: Props) {
  const [forgetting, setForgetting] = useState<Standing | null>(null)
  const forget = useForgetting()
  const setOf = new Map(sets.map((set) => [set.name, set]))
  const amount = (value: number, { ruleSet }: Standing) =>
    setOf.get(ruleSet)?.unit === 'bytes' ? formatBytes(value) : formatCount(value)
  const actions = (standing: Standing) =>
    onEdit && (
      <SubjectActions
        standing={standing}
        set={setOf.get(standing.ruleSet)}
        onEdit={onEdit}
        onForget={() => setForgetting(standing)}
      />
    )
  return (
    <section aria-labelledby="subjects" className="mt-10">
      <h2 id="subjects" className="mb-3 text-lg font-semibold">
        Subjects
      </h2>
      <div className="grid items-start gap-4 lg:grid-cols-2">
        <Ranking title="Nearest to a limit" when="in the last minute" empty="Nobody has used half of a limit.">
          {stats.nearest.map((near) => (
            <Rank key={keyOf(near, near.at)} standing={near} actions={actions(near)}>
              <span className="flex items-center gap-3">
                <Bar part={fullness(near)} />
                <span className="shrink-0">
                  {amount(near.used, near)} of {amount(near.limit, near)}
                </span>
              </span>
            </Rank>
          ))}
        </Ranking>
        <Ranking title="Most refused" when="in the last hour" empty="Nobody has been refused.">
          {stats.mostRefused.map((most) => (
            <Rank key={keyOf(most, most.lastAt)} standing={most} actions={actions(most)}>
              {formatCount(most.refused)} refused, last <Moment iso={new Date(most.lastAt).toISOString()} time />
            </Rank>
          ))}
        </Ranking>
      </div>
      <Confirm
        isOpen={forgetting !== null}
        title={`Forget what ${forgetting ? subjectWords(forgetting.subject) : ''} has used of ${forgetting?.ruleSet}?`}
        action="Forget usage"
        onClose={() => setForgetting(null)}
        onConfirm={() => forgetting && forget(forgetting)}
      >
        Their count begins again at nothing, in every process. It cannot be put back.
      </Confirm>
    </section>
  )
}

/** Addresses that are not shown are told apart by the time. */
const keyOf = ({ subject, policy }: Standing, at: number): string =>
  `${subject.key === 'hidden' ? at : subject.key} ${policy}`

function Ranking({
  title,
  when,
  empty,
  children,
}: {
  title: string
  when: string
  empty: string
  children: ReactNode[]
}) {
  return (
    <div className="min-w-0">
      <h3 className="mb-2 text-sm">
        <span className="font-semibold">{title}</span> <span className="text-ink-soft">{when}</span>
      </h3>
      {children.length === 0 ? (
        <p className="rounded-lg border border-line border-dashed px-4 py-6 text-center text-sm text-ink-soft">
          {empty}
        </p>
      ) : (
        <ol aria-label={title} className="divide-y divide-line rounded-lg border border-line bg-surface">
          {children}
        </ol>
      )}
    </div>
  )
}

function Rank({ standing, actions, children }: { standing: Standing; actions: ReactNode; children: ReactNode }) {
  return (
    <li className="grid grid-cols-[minmax(0,1fr)_auto] items-center gap-x-3 py-2 pr-2 pl-4 text-sm">
      <p className="min-w-0">
        <span className="flex flex-wrap items-baseline gap-x-2">
          <span className="font-medium break-all">{subjectWords(standing.subject)}</span>
          <a href={`#set-${standing.ruleSet}`} className="rounded-sm text-water hover:underline">
            {standing.policy}
          </a>
        </span>
        <span className="figures block text-ink-soft">{children}</span>
      </p>
      {actions}
    </li>
  )
}

/** How much of a limit is used; the figures beside it say the same. */
function Bar({ part }: { part: number }) {
  return (
    <span
      aria-hidden="true"
      className="h-2 min-w-16 flex-1 overflow-hidden rounded-full bg-sunken ring-1 ring-line ring-inset"
    >
      <span
        className={`block h-full rounded-full ${part >= 1 ? 'bg-gate' : 'bg-water'}`}
        style={{ width: `${part * 100}%` }}
      />
    </span>
  )
}

interface ActionsProps {
  standing: Standing
  set: RuleSetItem | undefined
  onEdit: NonNullable<Props['onEdit']>
  onForget: () => void
}

function SubjectActions({ standing: { subject }, set, onEdit, onForget }: ActionsProps) {
  if (!set) return null
  const label = `Actions for ${subjectWords(subject)} in ${set.name}`
  return (
    <MenuTrigger>
      <Button tone="quiet" size="icon-small" aria-label={label}>
        <Ellipsis size={18} />
      </Button>
      <Menu aria-label={label}>
        <MenuItem icon={Eraser} label="Forget usage" onAction={onForget} />
        {set.targets.includes('subject') && (
          <MenuItem
            icon={Pencil}
            label="Override for this subject"
            onAction={() => onEdit(set, chosenOf({ kind: 'subject', subject: subject.key }, subjectWords(subject)))}
          />
        )}
      </Menu>
    </MenuTrigger>
  )
}

function useForgetting(): (standing: Standing) => void {
  const trpc = useTRPC()
  const { mutate } = useMutation(trpc.limits.reset.mutationOptions())
  const forget = (standing: Standing): void => {
    const { subject, ruleSet } = standing
    mutate(
      { ruleSet, subject: subject.key },
      {
        onSuccess: () => toast({ title: `What ${subjectWords(subject)} has used of ${ruleSet} is forgotten.` }),
        onError: (error) => reportFailure('The usage was not forgotten.', error, () => forget(standing)),
      },
    )
  }
  return forget
}
