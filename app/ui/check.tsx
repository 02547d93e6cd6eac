import { type ReactNode, useId } from 'react'

interface Props {
  isOn: boolean
  onChange: (isOn: boolean) => void
  hint?: string
  children: ReactNode
}

/** A choice between yes and no. */
export function Check({ isOn, onChange, hint, children }: Props) {
  const id = useId()
  return (
    <label className="flex cursor-pointer items-start gap-2.5 text-sm">
      <input
        type="checkbox"
        checked={isOn}
        onChange={({ currentTarget }) => onChange(currentTarget.checked)}
        aria-describedby={hint ? id : undefined}
        className="mt-0.5 size-4 shrink-0 cursor-pointer accent-water"
      />
      <span>
        <span className="font-medium">{children}</span>
        {hint && (
          <span id={id} className="block text-ink-soft">
            {hint}
          </span>
        )}
      </span>
    </label>
  )
}
