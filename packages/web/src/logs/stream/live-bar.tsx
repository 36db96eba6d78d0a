import { counted, withCommas } from '@tidemark/wire/text/counted'
import { Pause, Play, Radio } from 'lucide-react'
import type { MouseEvent } from 'react'
import { Button, IconButton } from '../../ui/button.tsx'
import { classNames } from '../../ui/class-names.ts'
import type { LiveTail } from './use-live-tail.ts'

const WORDS: Record<LiveTail['state'], string> = {
  off: 'Live',
  connecting: 'Connecting',
  on: 'Live',
  ended: 'Live tail ended',
}

type LiveBarProps = {
  live: { tail: LiveTail; toggleLive: () => void; togglePause: () => void }
  isOn: boolean
  isPaused: boolean
  /** After a mouse click; keyboard users stay on the button. */
  onClicked: () => void
}

/** Both are always there, so that nothing beside them moves when the tail is switched on or off; on a phone nothing is beside them. */
export function LiveControls({ live, isOn, isPaused, onClicked }: LiveBarProps) {
  const clicked = (run: () => void) => (event: MouseEvent) => {
    run()
    if (event.detail > 0) onClicked()
  }
  return (
    <>
      <Button
        aria-pressed={isOn}
        onClick={clicked(live.toggleLive)}
        title="Live on or off (l)"
        className={classNames('w-[104px]', isOn && '!border-accent !bg-accent-surface !text-accent')}
        icon={<Radio size={14} aria-hidden="true" />}
      >
        {WORDS[live.tail.state]}
      </Button>
      <IconButton
        label={isPaused ? 'Resume' : 'Pause'}
        title={isPaused ? 'Resume (Space)' : 'Pause (Space)'}
        isPressed={isPaused}
        disabled={!isOn}
        className={classNames(!isOn && 'max-sm:hidden')}
        onClick={clicked(live.togglePause)}
      >
        {isPaused ? <Play size={14} aria-hidden="true" /> : <Pause size={14} aria-hidden="true" />}
      </IconButton>
    </>
  )
}

/** Floats above the rows, so that nothing moves when rows arrive. */
export function NewRows({ tail, onShow }: { tail: LiveTail; onShow: () => void }) {
  const count = tail.waiting.length
  return (
    <div className="pointer-events-none absolute inset-x-0 top-2 z-10 flex flex-col items-center gap-1">
      {count > 0 && (
        <button
          type="button"
          onClick={onShow}
          className="pointer-events-auto rounded-full bg-accent px-3 py-1 text-small font-medium text-on-accent tabular-nums shadow-float"
        >
          {withCommas(count)} new
        </button>
      )}
      {tail.dropped > 0 && (
        <p role="status" className="float px-2 py-0.5 text-small text-warn">
          {counted(tail.dropped, 'record')} came too fast to show. Search to see all.
        </p>
      )}
      {tail.problem && (
        <p role="alert" className="float px-2 py-0.5 text-small text-bad">
          {tail.problem}
        </p>
      )}
    </div>
  )
}
