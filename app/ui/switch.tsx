'use client'

interface Props {
  label: string
  hint?: string
  isOn: boolean
  isDisabled?: boolean
  onChange: (isOn: boolean) => void
}

/** A switch, with what it turns on beside it. */
export function Switch({ label, hint, isOn, isDisabled = false, onChange }: Props) {
  return (
    <label className="group relative flex cursor-pointer items-start gap-3 text-sm has-disabled:opacity-50">
      <input
        type="checkbox"
        role="switch"
        checked={isOn}
        aria-checked={isOn}
        disabled={isDisabled}
        onChange={({ currentTarget }) => onChange(currentTarget.checked)}
        className="absolute inset-0 cursor-pointer appearance-none outline-none"
      />
      <span className="flex h-5 w-9 shrink-0 items-center rounded-full bg-line-strong p-0.5 transition-colors group-has-checked:bg-water group-has-focus-visible:outline-2 group-has-focus-visible:outline-offset-2 group-has-focus-visible:outline-water">
        <span className="size-4 rounded-full bg-white transition-transform group-has-checked:translate-x-4" />
      </span>
      <span>
        <span className="block font-medium">{label}</span>
        {hint && <span className="block leading-snug text-ink-soft">{hint}</span>}
      </span>
    </label>
  )
}
