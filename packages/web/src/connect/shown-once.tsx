/**
 * A dialog with keys that are never shown again. It asks before it is left with a key that was not copied, whichever
 * way it is left: Esc, a click beside it, its buttons, back in the browser, or closing the page.
 */
import { useBlocker } from '@tanstack/react-router'
import { type ReactNode, useCallback, useEffect, useState } from 'react'
import { Button } from '../ui/button.tsx'
import { CopiedContext, CopyBlock } from '../ui/copy.tsx'
import { Dialog, type DialogProps } from '../ui/dialog.tsx'

type ShownOnceProps = Omit<DialogProps, 'isOpen' | 'children'> & {
  keys: readonly ShownKey[]
  /** The keys are no longer needed, however the dialog is left. */
  onGone?: () => void
  children: (close: () => void) => ReactNode
}

export function ShownOnceDialog({ keys, onGone, onClose, children, ...dialog }: ShownOnceProps) {
  const [copied, setCopied] = useState('')
  const [isAsking, setAsking] = useState(false)
  const uncopied = stillUncopied(keys, copied)
  const isUnsafe = uncopied.length > 0
  const note = useCallback((text: string) => setCopied((before) => `${before}\n${text}`), [])
  useEffect(() => {
    const onCopy = () => note(String(getSelection()))
    document.addEventListener('copy', onCopy)
    return () => document.removeEventListener('copy', onCopy)
  }, [note])
  const leaving = useBlocker({
    shouldBlockFn: () => {
      if (!isUnsafe) onGone?.()
      return isUnsafe
    },
    enableBeforeUnload: () => isUnsafe,
    withResolver: true,
  })
  const close = () => {
    if (isUnsafe) return setAsking(true)
    onGone?.()
    onClose()
  }
  const closeAnyway = () => {
    onGone?.()
    if (leaving.status === 'blocked') leaving.proceed()
    else onClose()
  }
  const stay = () => {
    setAsking(false)
    leaving.reset?.()
  }
  return (
    <CopiedContext value={note}>
      <Dialog isOpen onClose={close} {...dialog}>
        {children(close)}
        {(isAsking || leaving.status === 'blocked') && (
          <Question keys={uncopied} isSafe={!isUnsafe} onStay={stay} onClose={closeAnyway} />
        )}
      </Dialog>
    </CopiedContext>
  )
}

type QuestionProps = { keys: readonly ShownKey[]; isSafe: boolean; onStay: () => void; onClose: () => void }

function Question({ keys, isSafe, onStay, onClose }: QuestionProps) {
  // Those of the moment it was asked: what is copied here must not vanish under the pointer.
  const [asked] = useState(keys)
  const { it, ofThem } = plainWords(asked)
  return (
    <Dialog isOpen onClose={onStay} title={`Close without copying ${ofThem}?`}>
      <div className="flex flex-col gap-4">
        <p className="text-muted">
          Copy {it} now. You won't see {it} again.
        </p>
        {asked.map(({ name, secret }) => (
          <div key={name} className="flex flex-col gap-1.5">
            <h3 className="font-medium">{name}</h3>
            <CopyBlock text={secret} label={name} isLarge />
          </div>
        ))}
        <div className="flex justify-end gap-2">
          <Button onClick={onStay}>Go back</Button>
          {isSafe ? (
            <Button look="primary" onClick={onClose}>
              Close
            </Button>
          ) : (
            <Button look="danger" onClick={onClose}>
              Close anyway
            </Button>
          )}
        </div>
      </div>
    </Dialog>
  )
}

/** A secret with the name shown above it. `otherForm`: what some enter instead, such as the signing token of a webhook. */
type ShownKey = { name: string; secret: string; otherForm?: string | undefined }

/** A key counts as copied with any text that contains all of it, in either form: the key alone, or a line to run. */
export function stillUncopied(keys: readonly ShownKey[], copied: string): ShownKey[] {
  return keys.filter(({ secret, otherForm = secret }) => !copied.includes(secret) && !copied.includes(otherForm))
}

export function plainWords(keys: readonly ShownKey[]): { it: string; ofThem: string } {
  const [first] = keys
  return first !== undefined && keys.length === 1
    ? { it: 'it', ofThem: `the ${first.name.toLowerCase()}` }
    : { it: 'them', ofThem: 'the keys' }
}
