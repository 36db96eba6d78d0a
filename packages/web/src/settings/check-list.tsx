import { type ReactNode, useId } from 'react'
import { classNames } from '../ui/class-names.ts'
import { FieldNote } from '../ui/field.tsx'

type CheckListProps = {
  label: string
  options: readonly { value: string; label: string }[]
  chosen: readonly string[]
  onChange: (chosen: string[]) => void
  hint?: ReactNode
  error?: string | undefined
  disabled?: boolean
  /** Of the grid that the options are in: without it they are below each other. */
  columns?: string
}

/** Any number of few things, with the browser's boxes. What is chosen comes in the order of the options. */
export function CheckList({ label, options, chosen, onChange, hint, error, disabled, columns }: CheckListProps) {
  const id = useId()
  const toggle = (value: string, isChosen: boolean) =>
    onChange(options.map((option) => option.value).filter((one) => (one === value ? isChosen : chosen.includes(one))))
  return (
    <fieldset
      disabled={disabled}
      data-invalid={error === undefined ? undefined : ''}
      aria-describedby={error || hint ? `${id}-about` : undefined}
      className="flex min-w-0 flex-col gap-1"
    >
      <legend className="mb-1 text-small font-medium text-muted">{label}</legend>
      <div className={classNames('grid gap-x-4 gap-y-1', columns)}>
        {options.map(({ value, label: text }) => (
          <label key={value} className="flex min-h-6 pointer-coarse:min-h-control items-center gap-2">
            <input
              type="checkbox"
              checked={chosen.includes(value)}
              onChange={(event) => toggle(value, event.target.checked)}
            />
            <span className="min-w-0 [overflow-wrap:anywhere]">{text}</span>
          </label>
        ))}
      </div>
      <FieldNote id={id} hint={hint} error={error} />
    </fieldset>
  )
}
