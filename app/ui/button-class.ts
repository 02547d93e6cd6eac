export type Tone = 'primary' | 'plain' | 'quiet' | 'link' | 'quiet-danger' | 'danger'
export type ButtonSize = 'small' | 'medium' | 'icon' | 'icon-small'

const base =
  'inline-flex shrink-0 select-none items-center justify-center gap-2 whitespace-nowrap rounded-md font-medium transition-colors duration-100 disabled:pointer-events-none disabled:opacity-45 pending:opacity-60'

const tones = {
  primary: 'bg-ink text-ground hover:bg-ink/85 active:bg-ink/75 pressed:bg-ink/75',
  plain: 'border border-line bg-surface text-ink shadow-xs hover:bg-hover active:bg-line pressed:bg-line',
  quiet: 'text-ink hover:bg-hover active:bg-line pressed:bg-line',
  link: 'text-water hover:bg-hover active:bg-line pressed:bg-line',
  'quiet-danger': 'text-danger hover:bg-danger-soft active:bg-danger-soft pressed:bg-danger-soft',
  danger: 'bg-danger text-on-water hover:bg-danger/90 active:bg-danger/80 pressed:bg-danger/80',
} satisfies Record<Tone, string>

const sizes = {
  small: 'h-8 px-3 text-sm',
  medium: 'h-10 px-4 text-[0.9375rem]',
  icon: 'size-10',
  'icon-small': 'size-8',
} satisfies Record<ButtonSize, string>

/** Returns the classes of a button, for links that look like one. */
export function buttonClass(tone: Tone = 'plain', size: ButtonSize = 'medium'): string {
  return `${base} ${tones[tone]} ${sizes[size]}`
}
