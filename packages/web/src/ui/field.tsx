import { ChevronDown } from 'lucide-react'
import { type InputHTMLAttributes, type ReactNode, type Ref, type SelectHTMLAttributes, useId } from 'react'
import { classNames } from './class-names.ts'

export const CONTROL_CLASS =
  'h-control w-full rounded-control border border-strong-border bg-surface px-2 text-base text-text placeholder:text-faint disabled:opacity-60'

type FieldFrame = { label: string; hint?: ReactNode; error?: string | undefined; isLabelHidden?: boolean }

type FieldProps = FieldFrame & InputHTMLAttributes<HTMLInputElement> & { ref?: Ref<HTMLInputElement> }

/** A text field with its label, a hint, and what is wrong with its value. */
export function Field({ label, hint, error, isLabelHidden, className, ...rest }: FieldProps) {
  const id = useId()
  return (
    <FieldShell id={id} label={label} hint={hint} error={error} isLabelHidden={isLabelHidden}>
      <input
        id={id}
        {...rest}
        aria-invalid={error !== undefined || undefined}
        aria-describedby={error || hint ? `${id}-about` : undefined}
        className={classNames(CONTROL_CLASS, error && '!border-bad', className)}
      />
    </FieldShell>
  )
}

type SelectProps = FieldFrame &
  SelectHTMLAttributes<HTMLSelectElement> & { options: readonly { value: string; label: string }[] }

/** The browser's own select: every keyboard, screen reader and phone knows it. */
export function SelectField({ label, hint, error, isLabelHidden, className, options, ...rest }: SelectProps) {
  const id = useId()
  return (
    <FieldShell id={id} label={label} hint={hint} error={error} isLabelHidden={isLabelHidden}>
      <span className="relative block">
        <select
          id={id}
          {...rest}
          aria-invalid={error !== undefined || undefined}
          aria-describedby={error || hint ? `${id}-about` : undefined}
          className={classNames(
            CONTROL_CLASS,
            'appearance-none !pr-7 text-ellipsis',
            error && '!border-bad',
            className,
          )}
        >
          {options.map(({ value, label: text }) => (
            <option key={value} value={value}>
              {text}
            </option>
          ))}
        </select>
        <ChevronDown
          size={14}
          className="pointer-events-none absolute inset-y-0 right-2 my-auto text-muted"
          aria-hidden="true"
        />
      </span>
    </FieldShell>
  )
}

export function FieldShell({
  id,
  label,
  hint,
  error,
  isLabelHidden = false,
  children,
}: {
  id: string
  label: string
  hint: ReactNode
  error: string | undefined
  isLabelHidden: boolean | undefined
  children: ReactNode
}) {
  return (
    <div className="flex min-w-0 flex-col gap-1">
      <label htmlFor={id} className={isLabelHidden ? 'sr-only' : 'text-small font-medium text-muted'}>
        {label}
      </label>
      {children}
      <FieldNote id={id} hint={hint} error={error} />
    </div>
  )
}

/**
 * Under a control, which it describes by `<id>-about`. What is wrong is announced when it appears: the focus is then on the
 * button, and a description is read only with the control. The keys make it a new element, as an alert has to be.
 */
export function FieldNote({ id, hint, error }: { id: string; hint?: ReactNode; error?: string | undefined }) {
  if (error) {
    return (
      <p key="error" id={`${id}-about`} role="alert" className="text-small text-bad">
        {error}
      </p>
    )
  }
  if (!hint) return null
  return (
    <p key="hint" id={`${id}-about`} className="text-small text-faint">
      {hint}
    </p>
  )
}
