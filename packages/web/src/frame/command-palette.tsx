/** Everything the frame can do, and analyses, deploys and traces by their words and ids, found by typing. */
import { Dialog as Base } from '@base-ui/react/dialog'
import { useEffect, useId, useMemo, useRef, useState } from 'react'
import { classNames } from '../ui/class-names.ts'
import { type Command, useCommands } from './commands.ts'
import { useFoundCommands } from './found-commands.ts'
import type { TakeHeld } from './held-keys.ts'

type PaletteProps = { isOpen: boolean; onClose: () => void; projectId: string; onHelp: () => void; takeHeld: TakeHeld }

export function CommandPalette({ isOpen, ...body }: PaletteProps) {
  return (
    <Base.Root open={isOpen} onOpenChange={(open) => !open && body.onClose()}>
      <Base.Portal>
        <Base.Backdrop className="fixed inset-0 z-40 bg-black/45" />
        <Base.Popup
          aria-label="Commands"
          className="float fixed top-[12vh] left-1/2 z-50 flex max-h-[60vh] w-[calc(100vw-24px)] max-w-[520px] -translate-x-1/2 flex-col outline-none"
        >
          <PaletteBody {...body} />
        </Base.Popup>
      </Base.Portal>
    </Base.Root>
  )
}

function PaletteBody({ onClose, projectId, onHelp, takeHeld }: Omit<PaletteProps, 'isOpen'>) {
  const commands = useCommands(projectId, onHelp)
  const [text, setText] = useState('')
  /** By its name and not by its place: what the service finds moves the lines below it. */
  const [chosenKey, setChosen] = useState<string>()
  /** Enter was pressed before the service answered what the words name. */
  const [isWaiting, setWaiting] = useState(false)
  const id = useId()
  const list = useRef<HTMLDivElement>(null)
  const known = useMemo(() => matching(commands, text), [commands, text])
  const { found: named, isBusy, ...search } = useFoundCommands(projectId, text)
  // Commands come at once and stay where they are; what the service finds follows them.
  const found = [...known, ...named]
  const chosen = Math.max(
    0,
    found.findIndex((command) => keyOf(command) === chosenKey),
  )
  useEffect(() => {
    list.current?.querySelector('[aria-selected="true"]')?.scrollIntoView({ block: 'nearest' })
  })
  const choose = (command: Command | undefined) => {
    setChosen(command && keyOf(command))
    setWaiting(false)
  }
  const run = (command: Command | undefined) => {
    if (!command) return
    onClose()
    command.run()
  }
  const mayChange = search.mayChange && known.length === 0 && chosenKey === undefined
  useEffect(() => {
    if (!isWaiting || mayChange) return
    setWaiting(false)
    run(found[chosen])
  })
  return (
    <>
      <input
        role="combobox"
        aria-expanded="true"
        aria-controls={id}
        aria-activedescendant={found[chosen] ? `${id}-${chosen}` : undefined}
        aria-label="Command"
        placeholder="A command, error, SHA or trace id"
        value={text}
        onFocus={() => setText(takeHeld() + text)}
        onChange={(event) => {
          setText(event.target.value)
          choose(undefined)
        }}
        onKeyDown={(event) => {
          const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
          const next = found[(chosen + (step ?? 0) + found.length) % Math.max(1, found.length)]
          if (step !== undefined) choose(next)
          else if (event.key === 'Enter') mayChange ? setWaiting(true) : run(found[chosen])
          else return
          event.preventDefault()
        }}
        className="h-11 shrink-0 border-b border-border bg-transparent px-4 text-large outline-none placeholder:text-faint"
      />
      <div ref={list} id={id} role="listbox" aria-label="Commands" className="min-h-0 overflow-y-auto p-1">
        {found.map((command, index) => (
          // biome-ignore lint/a11y/useKeyWithClickEvents: the field above handles the keys for the whole list
          <div
            key={keyOf(command)}
            id={`${id}-${index}`}
            role="option"
            tabIndex={-1}
            aria-selected={index === chosen}
            onClick={() => run(command)}
            onPointerMove={() => choose(command)}
            className={classNames(
              'flex h-8 pointer-coarse:h-control cursor-pointer items-center gap-3 rounded-[4px] border-l-2 px-3',
              index === chosen ? 'border-accent bg-accent-surface' : 'border-transparent',
            )}
          >
            <span className="min-w-0 flex-1 truncate">{command.label}</span>
            <span className="max-w-60 shrink-0 truncate text-tiny text-faint">{command.group}</span>
          </div>
        ))}
        {isWaiting && <p className="px-3 py-2 text-muted">Looking</p>}
        {found.length === 0 && (
          <p className="px-3 py-4 text-muted">{isBusy ? 'Looking' : 'No command, view, analysis or deploy matches.'}</p>
        )}
      </div>
    </>
  )
}

const keyOf = ({ group, id, label }: Command) => `${group} ${id ?? label}`

function matching(commands: readonly Command[], text: string): Command[] {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean)
  return commands.filter(({ label, group }) => words.every((word) => `${label} ${group}`.toLowerCase().includes(word)))
}
