import type { ButtonHTMLAttributes, ReactNode, Ref } from 'react'
import { classNames } from './class-names.ts'

type ButtonLook = 'primary' | 'plain' | 'quiet' | 'danger'

const LOOKS: Record<ButtonLook, string> = {
  primary: 'border-transparent bg-accent text-on-accent hover:brightness-110',
  plain: 'border-strong-border bg-surface text-text hover:bg-hover',
  quiet: 'border-transparent bg-transparent text-muted hover:bg-hover hover:text-text',
  danger: 'border-strong-border bg-surface text-bad hover:border-bad',
}

type ButtonProps = ButtonHTMLAttributes<HTMLButtonElement> & {
  look?: ButtonLook
  isBusy?: boolean
  icon?: ReactNode
  ref?: Ref<HTMLButtonElement>
}

export function Button({ look = 'plain', isBusy = false, icon, className, children, disabled, ...rest }: ButtonProps) {
  return (
    <button
      type="button"
      {...rest}
      disabled={disabled || isBusy}
      aria-busy={isBusy || undefined}
      className={classNames(buttonClass(look), className)}
    >
      {icon}
      {children}
    </button>
  )
}

/** For links and triggers that look like a button. */
export function buttonClass(look: ButtonLook = 'plain'): string {
  return classNames(
    'inline-flex h-control shrink-0 items-center justify-center gap-1.5 rounded-control border px-2.5 text-small font-medium whitespace-nowrap',
    'transition-colors duration-[120ms] disabled:opacity-50',
    LOOKS[look],
  )
}

/** A square button whose only content is a picture: the label is its name and its tooltip. */
export function IconButton({
  label,
  children,
  className,
  isPressed,
  ...rest
}: ButtonHTMLAttributes<HTMLButtonElement> & { label: string; isPressed?: boolean; ref?: Ref<HTMLButtonElement> }) {
  return (
    <button
      type="button"
      aria-label={label}
      title={label}
      aria-pressed={isPressed}
      {...rest}
      className={classNames(
        'inline-flex size-control shrink-0 items-center justify-center rounded-control transition-colors duration-[120ms] hover:bg-hover hover:text-text disabled:opacity-50',
        isPressed ? 'bg-accent-surface text-accent' : 'text-muted',
        className,
      )}
    >
      {children}
    </button>
  )
}
