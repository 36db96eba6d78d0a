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
 * stands above. Lines scroll sideways, because a command broken inside a word reads wrong; a key is one long word and
 * wraps, so that all of it is seen, and so does what is read rather than run.
 */
export function CopyBlock({ text, label, isLarge = false, isWrapped = isLarge }: CopyBlockProps) {
  const shown = useRef<HTMLElement>(null)
  const { state, copy } = useCopy(text, shown)
  return (
    <div className="flex flex-col-reverse gap-1 rounded-control border border-border bg-background p-2 sm:flex-row sm:items-start sm:gap-2">
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable with the keyboard */}
      <pre className="max-h-72 min-w-0 flex-1 overflow-auto py-1 pl-1" tabIndex={0}>
        <code
          ref={shown}
          className={classNames(
            'font-mono text-text',
            isWrapped ? 'whitespace-pre-wrap [overflow-wrap:anywhere]' : 'whitespace-pre',
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

type CopyBlockProps = { text: string; label: string; isLarge?: boolean; isWrapped?: boolean }

export function CopyIcon({ text, label, className }: { text: string; label: string; className?: string }) {
  const { state, copy } = useCopy(text)
  return (
    <IconButton
      label={state === 'copied' ? 'Copied' : label}
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
