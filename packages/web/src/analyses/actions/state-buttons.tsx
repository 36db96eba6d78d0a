import type { AnalysisState } from '@tidemark/wire/analyses/analysis-state'
import { Check, EyeOff, RotateCcw } from 'lucide-react'
import type { AnalysisAction } from '../../api/analyses.ts'
import { actionOf, keysOf, STATE_KEYS } from '../../marks/analysis-action.ts'
import { capitalised } from '../../text/capitalised.ts'
import { Button } from '../../ui/button.tsx'
import { useShortcuts } from '../../ui/shortcuts.ts'

const ICONS = { resolve: Check, ignore: EyeOff, reopen: RotateCcw }

type StateButtonsProps = {
  states: readonly AnalysisState[]
  isBusy: boolean
  onAct: (action: AnalysisAction) => void
  /** Where resolving is the main thing to do. */
  hasPrimary?: boolean
}

/** Resolve and ignore, or reopen: with the same keys for one analysis and for many. */
export function StateButtons({ states, isBusy, onAct, hasPrimary = false }: StateButtonsProps) {
  useShortcuts({ e: () => onAct(actionOf('e', states)), i: () => onAct(actionOf('i', states)) })
  const offered = new Set(STATE_KEYS.map((key) => actionOf(key, states)))
  return [...offered].map((action) => {
    const Icon = ICONS[action]
    return (
      <Button
        key={action}
        {...(hasPrimary && action === 'resolve' && { look: 'primary' })}
        title={`${capitalised(action)} (${keysOf(action, states)})`}
        icon={<Icon size={14} aria-hidden="true" />}
        isBusy={isBusy}
        onClick={() => onAct(action)}
      >
        {capitalised(action)}
      </Button>
    )
  })
}
