import { type TextareaHTMLAttributes, useId } from 'react'
import { classNames } from './class-names.ts'
import { FieldShell } from './field.tsx'

type TextAreaProps = TextareaHTMLAttributes<HTMLTextAreaElement> & { label: string; hint?: string; error?: string }

export function TextArea({ label, hint, error, className, ...rest }: TextAreaProps) {
  const id = useId()
  return (
    <FieldShell id={id} label={label} hint={hint} error={error} isLabelHidden={false}>
      <textarea
        id={id}
        spellCheck={false}
        {...rest}
        aria-invalid={error !== undefined || undefined}
        aria-describedby={error || hint ? `${id}-about` : undefined}
        className={classNames(
          'w-full rounded-control border border-strong-border bg-surface p-2 font-mono text-small text-text placeholder:text-faint',
          error && '!border-bad',
          className,
        )}
      />
    </FieldShell>
  )
}
