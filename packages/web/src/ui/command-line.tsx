import { useEffect, useRef, useState } from 'react'

const CONFIRM_MS = 1_500

/**
 * A line to run, with a button that copies it and says so. Browsers give no clipboard to pages of plain http addresses
 * other than localhost: there the line is selected instead, ready for the keyboard.
 */
export function CommandLine({ command }: { command: string }) {
  const [label, setLabel] = useState('Copy')
  const line = useRef<HTMLElement>(null)
  useEffect(() => {
    if (label === 'Copy') return
    const timer = setTimeout(() => setLabel('Copy'), CONFIRM_MS)
    return () => clearTimeout(timer)
  }, [label])
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(command)
      setLabel('Copied')
    } catch {
      if (line.current) getSelection()?.selectAllChildren(line.current)
      setLabel('Selected')
    }
  }
  return (
    <div className="flex items-start gap-2 rounded-control border border-border bg-background p-2">
      <code
        ref={line}
        className="min-w-0 flex-1 py-1 pl-1 font-mono text-[12px] leading-[1.5] break-words whitespace-pre-wrap"
      >
        {command}
      </code>
      <button
        type="button"
        onClick={copy}
        aria-live="polite"
        className="h-7 w-16 shrink-0 cursor-pointer rounded-control border border-border bg-surface text-[12px] font-medium text-muted hover:text-text"
      >
        {label}
      </button>
    </div>
  )
}
