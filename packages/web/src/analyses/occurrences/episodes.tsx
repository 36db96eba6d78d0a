import type { AnalysisDetail } from '@tidemark/wire/analyses/analysis'
import { episodeWords } from '@tidemark/wire/analyses/episode-words'
import { counted, withCommas } from '@tidemark/wire/text/counted'
import { ExactTime } from '../../marks/exact-time.tsx'
import { capitalised } from '../../text/capitalised.ts'
import { formatElapsed } from '../../time/elapsed.ts'
import { Cell, Row, Table } from '../../ui/table.tsx'
import { Section } from '../section.tsx'

/** Each time it occurred: the deploy is always the one before the start of the newest. */
export function Episodes({ analysis: { episodes } }: { analysis: AnalysisDetail }) {
  if (episodes.length === 0) return null
  return (
    <Section title="Episodes" aside={counted(episodes.length, 'episode')}>
      <Table label="Episodes, newest first" head={['Began', 'Why', 'Last seen', 'Lasted', 'Errors']}>
        {episodes.map(({ anchor, lastSeen, count, began }) => (
          <Row key={anchor}>
            <Cell>
              <ExactTime at={anchor} />
            </Cell>
            <Cell>{capitalised(episodeWords(began))}</Cell>
            <Cell>
              <ExactTime at={lastSeen} />
            </Cell>
            <Cell className="tabular-nums">{formatElapsed((Date.parse(lastSeen) - Date.parse(anchor)) / 1_000)}</Cell>
            <Cell className="tabular-nums">{withCommas(count)}</Cell>
          </Row>
        ))}
      </Table>
    </Section>
  )
}
