import { Check, Copy } from 'lucide-react'
import { createContext, type RefObject, use, useEffect, useRef, useState } from 'react'
import { buttonClass, IconButton } from './button.tsx'
import { classNames } from './class-names.ts'
import { useToast } from './toast.tsx'

const CONFIRM_MS = 1_500

type CopyState = 'idle' | 'copied' | 'selected'

/** Listeners for what a button below copied. What the keyboard copies, the document's own event reports. */
export const CopiedContext = createContext<(text: string) => void>(() => {})

const REFUSED = 'The browser refused to copy: select the text and copy it with the keyboard'

/** Where the browser refuses, the text is selected instead, ready for the keyboard, or that is said. */
export function useCopy(text: string, shown?: RefObject<HTMLElement | null>) {
  const [state, setState] = useState<CopyState>('idle')
  const tell = use(CopiedContext)
  const say = useToast()
  useEffect(() => {
    if (state === 'idle') return
    const timer = setTimeout(() => setState('idle'), CONFIRM_MS)
    return () => clearTimeout(timer)
  }, [state])
  const copy = async () => {
    if (await copyText(text)) {
      setState('copied')
      tell(text)
    } else if (shown?.current) {
      getSelection()?.selectAllChildren(shown.current)
      setState('selected')
    } else say(REFUSED)
  }
  return { state, copy }
}

/** For what has no place of its own to confirm: menus and shortcuts. Resolves whether it was copied. */
export function useCopyAndSay(): (text: string, done: string, refused?: string) => Promise<boolean> {
  const say = useToast()
  return async (text, done, refused = 'The browser refused to copy') => {
    const isCopied = await copyText(text)
    say(isCopied ? done : refused)
    return isCopied
  }
}

const WORDS: Record<CopyState, string> = { idle: 'Copy', copied: 'Copied', selected: 'Selected' }

/**
 * A text to take away, whole: a key, a command, a file. The button confirms without changing its width. On a phone it
 * stands above. Lines wrap between words, and inside only where one is longer than a line, so that all of it is seen.
 */
export function CopyBlock({
  text,
  label,
  isCode = false,
  isLarge = false,
  isFilling = false,
  isCopyAbove = false,
}: CopyBlockProps) {
  const shown = useRef<HTMLElement>(null)
  const { state, copy } = useCopy(text, shown)
  return (
    <div
      className={classNames(
        'flex flex-col-reverse gap-1 rounded-control border border-border bg-background p-2',
        !isCopyAbove && 'sm:flex-row sm:items-start sm:gap-2',
        isFilling ? 'min-h-0 flex-1 justify-end' : 'shrink-0',
      )}
    >
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable with the keyboard */}
      <pre className="max-h-72 min-w-0 flex-1 overflow-auto py-1 pl-1 sm:max-h-[min(18rem,100%)]" tabIndex={0}>
        <code
          ref={shown}
          className={classNames(
            'font-mono text-text',
            isCode ? 'whitespace-pre' : 'whitespace-pre-wrap [overflow-wrap:anywhere]',
            isLarge ? 'text-large font-medium' : 'text-small',
          )}
        >
          {text}
        </code>
      </pre>
      <button
        type="button"
        onClick={copy}
        className={classNames(buttonClass(), 'w-[76px] self-end', !isCopyAbove && 'sm:self-start')}
      >
        <span aria-live="polite">{WORDS[state]}</span>
        <span className="sr-only"> {label}</span>
      </button>
    </div>
  )
}

/** `isCode`: its lines stay whole, and are scrolled. `isFilling`: takes what is left of the column it stands in. `isCopyAbove`: at every width. */
type CopyBlockProps = {
  text: string
  label: string
  isCode?: boolean
  isLarge?: boolean
  isFilling?: boolean
  isCopyAbove?: boolean
}

/** `shown`: where the whole text stands, to be selected where the browser refuses to copy. */
type CopyIconProps = { text: string; label: string; className?: string; shown?: RefObject<HTMLElement | null> }

export function CopyIcon({ text, label, className, shown }: CopyIconProps) {
  const { state, copy } = useCopy(text, shown)
  return (
    <IconButton
      label={state === 'idle' ? label : WORDS[state]}
      className={classNames('touchable !size-5', className)}
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

/**
 * The one way to the clipboard. Browsers give `navigator.clipboard` only to pages over https and on localhost, and
 * Tidemark is often reached by a plain http address inside a network: there the older command copies what is selected.
 */
async function copyText(text: string): Promise<boolean> {
  try {
    if (navigator.clipboard !== undefined) {
      await navigator.clipboard.writeText(text)
      return true
    }
  } catch {
    // Refused, or the page was not in front: the command below may still be allowed.
  }
  return copySelected(text)
}

/** Selects the text for a moment, out of sight and without taking the focus, which a dialog would want back. */
function copySelected(text: string): boolean {
  const selection = getSelection()
  if (selection === null) return false
  const before = selection.rangeCount > 0 ? selection.getRangeAt(0) : undefined
  const holder = document.createElement('span')
  holder.textContent = text
  holder.ariaHidden = 'true'
  // `pre` keeps line ends, and the rest keeps the page from scrolling or growing.
  holder.style.cssText = 'position:fixed;top:0;left:0;opacity:0;white-space:pre;user-select:text;pointer-events:none'
  // Exactly the text, without the look that a selection carries along.
  const onCopy = (event: ClipboardEvent) => {
    event.clipboardData?.setData('text/plain', text)
    event.preventDefault()
  }
  document.body.append(holder)
  selection.selectAllChildren(holder)
  document.addEventListener('copy', onCopy, { once: true })
  try {
    return document.execCommand('copy')
  } catch {
    return false
  } finally {
    document.removeEventListener('copy', onCopy)
    holder.remove()
    selection.removeAllRanges()
    if (before) selection.addRange(before)
  }
}
