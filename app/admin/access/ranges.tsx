'use client'

import { useState } from 'react'
import { Button } from '#app/ui/button.tsx'
import { Dialog } from '#app/ui/dialog.tsx'
import { Moment } from '#app/ui/moment.tsx'
import { Tag } from '#app/ui/tag.tsx'
import { RangeForm } from './range-form.tsx'
import { type AccessList, type Range, useAccessActions } from './use-access-actions.ts'

/** The ranges of addresses that are let in or shut out. */
export function Ranges({ list }: { list: AccessList }) {
  const [editing, setEditing] = useState<Range | 'new' | null>(null)
  const { removeRange } = useAccessActions()
  const known = editing === 'new' ? null : editing
  return (
    <section aria-labelledby="addresses">
      <div className="mb-3 grid grid-cols-[minmax(0,1fr)_max-content] items-center gap-x-4 gap-y-1">
        <h2 id="addresses" className="text-lg font-semibold">
          Addresses
        </h2>
        <Button size="small" onPress={() => setEditing('new')}>
          Add an address or range
        </Button>
        <p className="col-span-2 max-w-prose text-sm text-ink-soft">
          The narrowest range that holds an address decides. You are at{' '}
          <span className="figures break-words text-ink">{list.ownAddress}</span>. A probe of /healthz or /readyz from
          the server’s own machine always passes; one from elsewhere must be let in.
        </p>
      </div>
      {list.rules.length === 0 ? (
        <p className="rounded-lg border border-line border-dashed px-4 py-6 text-center text-sm text-ink-soft">
          Everybody is let in.
        </p>
      ) : (
        <ul className="divide-y divide-line rounded-lg border border-line bg-surface">
          {list.rules.map((range) => (
            <li
              key={range.cidr}
              className="grid grid-cols-[minmax(0,1fr)_max-content] items-center gap-x-4 gap-y-1 px-4 py-2.5 text-sm md:grid-cols-[15rem_4.5rem_minmax(0,1fr)_max-content_max-content]"
            >
              <span className="flex flex-wrap items-center gap-x-3 max-md:col-span-2 md:contents">
                <span className="figures font-medium break-all">{range.cidr}</span>
                <span>
                  <Tag tone={range.verdict === 'deny' ? 'danger' : 'water'}>
                    {range.verdict === 'deny' ? 'shut out' : 'let in'}
                  </Tag>
                </span>
              </span>
              <span className="break-words text-ink-soft max-md:col-span-2">{range.note}</span>
              <span className="figures text-ink-soft">
                {range.changedBy}, <Moment iso={range.changedAt} />
              </span>
              <span className="flex gap-1">
                <Button tone="quiet" size="small" aria-label={`Edit ${range.cidr}`} onPress={() => setEditing(range)}>
                  Edit
                </Button>
                <Button
                  tone="quiet-danger"
                  size="small"
                  aria-label={`Remove ${range.cidr}`}
                  onPress={() => removeRange(range)}
                >
                  Remove
                </Button>
              </span>
            </li>
          ))}
        </ul>
      )}
      <Dialog
        title={known ? `Edit ${known.cidr}` : 'Add an address or range'}
        isOpen={editing !== null}
        onClose={() => setEditing(null)}
      >
        <RangeForm known={known} rules={list.rules} onClose={() => setEditing(null)} />
      </Dialog>
    </section>
  )
}
