'use client'

import { Eye, EyeOff } from 'lucide-react'
import {
  type ComponentProps,
  type ReactNode,
  type Ref,
  useEffect,
  useEffectEvent,
  useId,
  useRef,
  useState,
} from 'react'
import { useTranslations } from 'use-intl/react'
import { IconButton } from './icon-button.tsx'
import { inputClass } from './input-class.ts'

const verbatim = { autoCapitalize: 'none', spellCheck: false } as const

type InputProps = Omit<ComponentProps<'input'>, 'ref' | 'value' | 'onChange' | 'disabled' | 'required' | 'className'>

interface Props extends InputProps {
  label: string
  value?: string
  onChange?: (value: string) => void
  hint?: ReactNode
  error?: string | null | undefined
  isDisabled?: boolean
  /** Announced. Forms check it themselves, so that they can say what to do. */
  isRequired?: boolean
  /** For names and codes: no automatic capitals, no spell checking. */
  isVerbatim?: boolean
  ref?: Ref<HTMLDivElement>
}

/** A labelled text field with a hint below it, replaced by the error if there is one. */
export function Field(props: Props) {
  return <Labelled {...props}>{(input) => input}</Labelled>
}

/** A password field with a button that shows the password. */
export function PasswordField(props: Omit<Props, 'type' | 'placeholder' | 'isVerbatim'>) {
  const t = useTranslations('ui')
  const [isShown, setShown] = useState(false)
  return (
    <Labelled {...props} type={isShown ? 'text' : 'password'} isVerbatim inputClassName="pr-11">
      {(input) => (
        <div className="relative">
          {input}
          <IconButton
            tone="bare"
            label={isShown ? t('hidePassword') : t('showPassword')}
            onPress={() => setShown(!isShown)}
            className="absolute inset-y-0 right-0 grid w-10 place-items-center rounded-md text-ink-soft hover:text-ink"
          >
            {isShown ? <EyeOff size={18} /> : <Eye size={18} />}
          </IconButton>
        </div>
      )}
    </Labelled>
  )
}

interface LabelledProps extends Omit<Props, 'children'> {
  inputClassName?: string
  children: (input: ReactNode) => ReactNode
}

function Labelled({ label, hint, error, isVerbatim, isRequired, isDisabled, ref, ...rest }: LabelledProps) {
  const { inputClassName = '', onChange, children, ...input } = rest
  const id = useId()
  const element = useRef<HTMLInputElement>(null)
  const note = error || hint
  /** What was typed before the page's script ran is in the element alone. */
  const takeTyped = useEffectEvent(() => {
    const typed = element.current?.value
    if (input.value !== undefined && typed !== undefined && typed !== input.value) onChange?.(typed)
  })
  useEffect(() => takeTyped(), [])
  return (
    <div ref={ref} className="flex flex-col gap-1.5">
      <label htmlFor={id} className="text-sm font-medium">
        {label}
      </label>
      {children(
        <input
          type="text"
          {...(isVerbatim ? verbatim : {})}
          {...input}
          ref={element}
          id={id}
          onChange={({ currentTarget }) => onChange?.(currentTarget.value)}
          disabled={isDisabled}
          aria-required={isRequired}
          aria-invalid={error ? true : undefined}
          aria-describedby={note ? `${id}-note` : undefined}
          className={`${inputClass} ${inputClassName}`}
        />,
      )}
      {note && (
        <p id={`${id}-note`} className={`text-sm ${error ? 'text-danger' : 'text-ink-soft'}`}>
          {note}
        </p>
      )}
    </div>
  )
}
