import type { LikelyCause } from '@tidemark/wire/analyses/cause'
import { CONFIDENCE_WORDS } from '@tidemark/wire/analyses/cause-words'
import { classNames } from '../ui/class-names.ts'

const LOOKS = {
  high: { steps: 3, word: CONFIDENCE_WORDS.high },
  medium: { steps: 2, word: CONFIDENCE_WORDS.medium },
  low: { steps: 1, word: CONFIDENCE_WORDS.low },
} as const satisfies Record<LikelyCause['confidence'], unknown>
const STEPS = [1, 2, 3]

/** Confidence in words, with three steps that are visible before the words are read. */
export function ConfidenceMark({ confidence }: { confidence: LikelyCause['confidence'] }) {
  const { steps, word } = LOOKS[confidence]
  return (
    <span className="text-small whitespace-nowrap text-muted">
      <svg width={13} height={11} className="mr-1.5 inline align-[-1px]" aria-hidden="true">
        {STEPS.map((step) => (
          <rect
            key={step}
            x={(step - 1) * 5}
            y={11 - step * 3 - 2}
            width={3}
            height={step * 3 + 2}
            className={classNames(step <= steps ? 'fill-current' : 'fill-strong-border')}
          />
        ))}
      </svg>
      {word}
    </span>
  )
}
