import type { ReactNode } from 'react'
import { classNames } from './class-names.ts'

export type Tone = 'neutral' | 'accent' | 'deploy' | 'good' | 'warn' | 'bad'

const TONES: Record<Tone, string> = {
  neutral: 'border-border text-muted',
  accent: 'border-transparent bg-accent-surface text-accent',
  deploy: 'border-transparent bg-deploy-surface text-deploy',
  good: 'border-good/40 text-good',
  warn: 'border-warn/40 text-warn',
  bad: 'border-bad/40 text-bad',
}

export function Badge({ tone = 'neutral', children }: { tone?: Tone; children: ReactNode }) {
  return (
    <span
      className={classNames(
        'inline-flex h-5 max-w-full items-center gap-1 truncate rounded-[4px] border px-1.5 text-tiny font-medium whitespace-nowrap',
        TONES[tone],
      )}
    >
      {children}
    </span>
  )
}

/** A light: off, or on with its word beside it. */
export function Light({ isOn, children }: { isOn: boolean; children: ReactNode }) {
  return (
    <span className={classNames('inline-flex items-center gap-2', isOn ? 'text-good' : 'text-muted')}>
      <span
        className={classNames(
          'size-2.5 rounded-full border',
          isOn ? 'border-good bg-good' : 'border-current border-dashed',
        )}
        aria-hidden="true"
      />
      {children}
    </span>
  )
}
