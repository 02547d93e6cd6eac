'use client'

import { useState } from 'react'
import { useTranslations } from 'use-intl/react'
import { Button } from '#app/ui/button.tsx'
import { Dialog } from '#app/ui/dialog.tsx'
import { EmptyList } from '#app/ui/empty-list.tsx'
import { LocalDate } from '#app/ui/moment.tsx'
import { Tag } from '#app/ui/tag.tsx'
import { RangeForm } from './range-form.tsx'
import { type AccessList, type Range, useAccessActions } from './use-access-actions.ts'

/** The ranges of addresses that are allowed or blocked. */
export function Ranges({ list }: { list: AccessList }) {
  const t = useTranslations('adminAccess')
  const [editing, setEditing] = useState<Range | 'new' | null>(null)
  const { removeRange } = useAccessActions()
  const known = editing === 'new' ? null : editing
  return (
    <section aria-labelledby="addresses">
      <div className="mb-3 grid grid-cols-[minmax(0,1fr)_max-content] items-center gap-x-4 gap-y-1">
        <h2 id="addresses" className="text-lg font-semibold">
          {t('addresses')}
        </h2>
        <Button size="small" onPress={() => setEditing('new')}>
          {t('add')}
        </Button>
        <p className="col-span-2 max-w-prose text-sm text-ink-soft">
          {t.rich('addressesText', {
            address: list.ownAddress,
            strong: (text) => <span className="figures break-words text-ink">{text}</span>,
          })}
        </p>
      </div>
      {list.rules.length === 0 ? (
        <EmptyList>{t('none')}</EmptyList>
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
                    {range.verdict === 'deny' ? t('blocked') : t('allowed')}
                  </Tag>
                </span>
              </span>
              <span className="break-words text-ink-soft max-md:col-span-2">{range.note}</span>
              <span className="figures text-ink-soft">
                {t.rich('change', { username: range.changedBy, date: () => <LocalDate iso={range.changedAt} /> })}
              </span>
              <span className="flex gap-1">
                <Button
                  tone="quiet"
                  size="small"
                  aria-label={t('editRange', { cidr: range.cidr })}
                  onPress={() => setEditing(range)}
                >
                  {t('edit')}
                </Button>
                <Button
                  tone="quiet-danger"
                  size="small"
                  aria-label={t('removeRange', { cidr: range.cidr })}
                  onPress={() => removeRange(range)}
                >
                  {t('remove')}
                </Button>
              </span>
            </li>
          ))}
        </ul>
      )}
      <Dialog
        title={known ? t('editRange', { cidr: known.cidr }) : t('add')}
        isOpen={editing !== null}
        onClose={() => setEditing(null)}
      >
        <RangeForm known={known} rules={list.rules} onClose={() => setEditing(null)} />
      </Dialog>
    </section>
  )
}
