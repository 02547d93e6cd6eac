'use client'

import { useQuery } from '@tanstack/react-query'
import { useId } from 'react'
import { useTranslations } from 'use-intl/react'
import { useTRPC } from '#app/connection/trpc.ts'
import { Button } from '#app/ui/button.tsx'
import { DialogActions } from '#app/ui/dialog.tsx'
import { Field } from '#app/ui/field.tsx'
import { Select } from '#app/ui/select.tsx'
import { useTyped } from '#app/ui/use-typed.ts'
import { type Query, shapes, sizes, types, visibilities } from './finding.ts'
import { SortSelect } from './sort-select.tsx'
import { useFilterText } from './use-filter-text.ts'
import type { FindingState } from './use-finding.ts'

interface Props {
  state: FindingState
  onClose: () => void
}

const switches = ['1', '0'] as const
const toSwitch = (flag: boolean | undefined) => (flag === undefined ? '' : flag ? '1' : '0')
const fromSwitch = (text: string) => (text === '' ? undefined : text === '1')

/** Every filter. What is chosen holds at once. */
export default function FilterFields({ state, onClose }: Props) {
  const t = useTranslations('finding')
  const describe = useFilterText()
  const { narrow, clear } = state
  const { query, by } = state.finding
  const isTaken = by === 'taken'
  const choice = <T extends string>(
    name: 'type' | 'size' | 'shape' | 'visibility',
    values: readonly T[],
    toQuery: (value: T | undefined) => Query,
  ) => (
    <Select<T | ''>
      label={t(name)}
      value={values.find((value) => value === query[name]) ?? ''}
      options={[{ value: '', label: t('any') }, ...values.map((value) => ({ value, label: describe(toQuery(value)) }))]}
      onChange={(value) => narrow(toQuery(value === '' ? undefined : value))}
    />
  )
  const flag = (name: 'animated' | 'favourite') => (
    <Select<'' | '0' | '1'>
      label={t(name)}
      value={toSwitch(query[name])}
      options={[
        { value: '', label: t('any') },
        ...switches.map((value) => ({ value, label: describe({ [name]: value === '1' }) })),
      ]}
      onChange={(value) => narrow({ [name]: fromSwitch(value) })}
    />
  )
  return (
    <>
      <div className="grid grid-cols-2 gap-x-3 gap-y-4">
        <div className="col-span-2 sm:hidden">
          <SortSelect state={state} />
        </div>
        {choice('type', types, (type) => ({ type }))}
        {choice('size', sizes, (size) => ({ size }))}
        {choice('shape', shapes, (shape) => ({ shape }))}
        {choice('visibility', visibilities, (visibility) => ({ visibility }))}
        {flag('animated')}
        {flag('favourite')}
        <AlbumSelect state={state} />
        <TagField state={state} />
        <Field
          type="date"
          label={t(isTaken ? 'takenFrom' : 'uploadedFrom')}
          value={query.from ?? ''}
          max={query.to}
          onChange={(from) => narrow({ from: from || undefined })}
        />
        <Field
          type="date"
          label={t('until')}
          value={query.to ?? ''}
          min={query.from}
          onChange={(to) => narrow({ to: to || undefined })}
        />
      </div>
      <DialogActions>
        <Button tone="quiet" onPress={clear}>
          {t('clear')}
        </Button>
        <Button tone="primary" onPress={onClose}>
          {t('showImages')}
        </Button>
      </DialogActions>
    </>
  )
}

/** More albums than this are found by their title in the box. */
const MOST_ALBUMS = 100

function AlbumSelect({ state: { finding, narrow } }: Pick<Props, 'state'>) {
  const t = useTranslations('finding')
  const trpc = useTRPC()
  const { data } = useQuery(trpc.album.list.queryOptions({ scope: 'mine', limit: MOST_ALBUMS }))
  const { album } = finding.query
  const known = data?.items.map(({ id, title }) => ({ value: id, label: title })) ?? []
  const isForeign = album !== undefined && !known.some(({ value }) => value === album)
  return (
    <Select
      label={t('album')}
      value={album ?? ''}
      options={[
        { value: '', label: t('any') },
        ...(isForeign ? [{ value: album, label: t('otherAlbum') }] : []),
        ...known,
      ]}
      onChange={(value) => narrow({ album: value || undefined })}
    />
  )
}

/** Completed with the viewer's tags. */
function TagField({ state: { finding, narrow } }: Pick<Props, 'state'>) {
  const t = useTranslations('finding')
  const trpc = useTRPC()
  const list = useId()
  const [tag, setTag] = useTyped(finding.query.tag, (typed) => narrow({ tag: typed || undefined }))
  const { data } = useQuery(trpc.tag.list.queryOptions({ text: tag, limit: 20 }))
  return (
    <>
      <Field
        label={t('tag')}
        placeholder={t('any')}
        value={tag}
        onChange={setTag}
        list={list}
        maxLength={64}
        autoComplete="off"
      />
      <datalist id={list}>
        {data?.items.map(({ id, name }) => (
          <option key={id} value={name} />
        ))}
      </datalist>
    </>
  )
}
