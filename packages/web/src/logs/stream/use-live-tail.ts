/**
 * Records as they arrive. What is being read never moves: while the reader is paused or has scrolled away, new rows wait
 * and are counted. What is held is bounded; what is dropped, here or on the way, is counted and shown.
 */

import type { LogFilter } from '@tidemark/wire/dashboard/api-paths'
import type { LogRow } from '@tidemark/wire/reading/row'
import { isFinalEnd } from '@tidemark/wire/retryable'
import { useEffect, useRef, useState } from 'react'
import { tailAddress } from '../../api/logs.ts'

const MAX_HELD = 5_000

export type LiveTail = {
  state: 'off' | 'connecting' | 'on' | 'ended'
  rows: LogRow[]
  waiting: LogRow[]
  dropped: number
  /** Why it ended, when the service said so. */
  problem: string | undefined
  showWaiting: () => void
}

type Options = { projectId: string; filter: LogFilter; isOn: boolean; isHeld: () => boolean; onReady: () => void }
type Held = Pick<LiveTail, 'rows' | 'waiting' | 'dropped'>

const NOTHING: Held = { rows: [], waiting: [], dropped: 0 }

export function useLiveTail({ projectId, filter, isOn, isHeld, onReady }: Options): LiveTail {
  const [state, setState] = useState<LiveTail['state']>('off')
  const [held, setHeld] = useState<Held>(NOTHING)
  const [problem, setProblem] = useState<string>()
  const callbacks = useRef({ isHeld, onReady })
  useEffect(() => {
    callbacks.current = { isHeld, onReady }
  })
  const address = isOn ? tailAddress(projectId, filter) : undefined

  useEffect(() => {
    setHeld(NOTHING)
    setProblem(undefined)
    if (address === undefined) {
      setState('off')
      return
    }
    setState('connecting')
    const source = new EventSource(address)
    source.addEventListener('ready', () => {
      setState('on')
      callbacks.current.onReady()
    })
    source.addEventListener('logs', (event) => {
      const { rows, dropped } = JSON.parse(event.data) as { rows: LogRow[]; dropped: number }
      const mustWait = callbacks.current.isHeld()
      setHeld((before) => take(before, rows, dropped, mustWait))
    })
    source.addEventListener('end', (event) => {
      const { error } = JSON.parse(event.data) as { error: { code: string; message: string } }
      // The browser connects again by itself to what it has not closed.
      if (!isFinalEnd(error.code)) return
      setProblem(error.message)
      setState('ended')
      source.close()
    })
    source.addEventListener('error', () => {
      if (source.readyState === EventSource.CLOSED) setState('ended')
      else setState('connecting')
    })
    return () => source.close()
  }, [address])

  return { state, ...held, problem, showWaiting: () => setHeld(release) }
}

export function take({ rows, waiting, dropped }: Held, arrived: LogRow[], missed: number, mustWait: boolean): Held {
  const [shown, later] = mustWait ? [rows, [...arrived, ...waiting]] : [[...arrived, ...waiting, ...rows], []]
  const kept = later.slice(0, MAX_HELD)
  // Rows on the screen that fall out at the far end were seen; those that waited were not.
  return { rows: shown.slice(0, MAX_HELD), waiting: kept, dropped: dropped + missed + later.length - kept.length }
}

export function release({ rows, waiting, dropped }: Held): Held {
  return { rows: [...waiting, ...rows].slice(0, MAX_HELD), waiting: [], dropped }
}
