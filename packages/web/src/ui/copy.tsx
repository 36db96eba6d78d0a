import { Check, Copy } from 'lucide-react'
import { createContext, type RefObject, use, useEffect, useRef, useState } from 'react'
import { buttonClass, IconButton } from './button.tsx'
import { classNames } from './class-names.ts'

const CONFIRM_MS = 1_500

type CopyState = 'idle' | 'copied' | 'selected'

/** Listeners for what a button below copied. What the keyboard copies, the document's own event reports. */
export const CopiedContext = createContext<(text: string) => void>(() => {})

/**
 * Browsers give no clipboard to pages of plain http addresses other than localhost: there the text is selected instead,
 * ready for the keyboard.
 */
export function useCopy(text: string, shown?: RefObject<HTMLElement | null>) {
  const [state, setState] = useState<CopyState>('idle')
  const tell = use(CopiedContext)
  useEffect(() => {
    if (state === 'idle') return
    const timer = setTimeout(() => setState('idle'), CONFIRM_MS)
    return () => clearTimeout(timer)
  }, [state])
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text)
      setState('copied')
      tell(text)
    } catch {
      if (!shown?.current) return
      getSelection()?.selectAllChildren(shown.current)
      setState('selected')
    }
  }
  return { state, copy }
}

const WORDS: Record<CopyState, string> = { idle: 'Copy', copied: 'Copied', selected: 'Selected' }

/**
 * A text to take away, whole: a key, a command, a file. The button confirms without changing its width. On a phone it
 * stands above. Lines wrap between words, and inside only where one is longer than a line, so that all of it is seen.
 */
export function CopyBlock({ text, label, isLarge = false }: CopyBlockProps) {
  const shown = useRef<HTMLElement>(null)
  const { state, copy } = useCopy(text, shown)
  return (
    <div className="flex flex-col-reverse gap-1 rounded-control border border-border bg-background p-2 sm:flex-row sm:items-start sm:gap-2">
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable with the keyboard */}
      <pre className="max-h-72 min-w-0 flex-1 overflow-auto py-1 pl-1" tabIndex={0}>
        <code
          ref={shown}
          className={classNames(
            'font-mono whitespace-pre-wrap text-text [overflow-wrap:anywhere]',
            isLarge ? 'text-large font-medium' : 'text-small',
          )}
        >
          {text}
        </code>
      </pre>
      <button type="button" onClick={copy} className={classNames(buttonClass(), 'w-[76px] self-end sm:self-start')}>
        <span aria-live="polite">{WORDS[state]}</span>
        <span className="sr-only"> {label}</span>
      </button>
    </div>
  )
}

type CopyBlockProps = { text: string; label: string; isLarge?: boolean }

/** `shown`: where the whole text stands, to be selected where there is no clipboard. */
type CopyIconProps = { text: string; label: string; className?: string; shown?: RefObject<HTMLElement | null> }

export function CopyIcon({ text, label, className, shown }: CopyIconProps) {
  const { state, copy } = useCopy(text, shown)
  return (
    <IconButton
      label={state === 'idle' ? label : WORDS[state]}
      className={classNames('!size-5', className)}
      onClick={(event) => {
        event.stopPropagation()
        copy()
      }}
    >
      {state === 'copied' ? (
        <Check size={12} className="text-good" aria-hidden="true" />
      ) : (
        <Copy size={12} aria-hidden="true" />
      )}
    </IconButton>
  )
}
