import type { AnalysisDetail } from '@tidemark/wire/analyses/analysis'
import { analysisMarkdown, analysisPrompt } from '@tidemark/wire/analyses/share-analysis'
import { Bot, ClipboardCopy, Hash } from 'lucide-react'
import { useHasKeyboard } from '../../frame/use-is-below.ts'
import { Button } from '../../ui/button.tsx'
import { useCopyAndSay } from '../../ui/copy.tsx'
import { Menu, MenuItem } from '../../ui/menu.tsx'
import { useShortcuts } from '../../ui/shortcuts.ts'

type ShareProps = { analysis: AnalysisDetail; url: string }

/** What was found out, as text for those who are not here: a channel, or an agent. For everybody who may read it. */
export function ShareAnalysis({ analysis, url }: ShareProps) {
  const copy = useCopyAndSay()
  const hasKeyboard = useHasKeyboard()
  const copyMarkdown = () => copy(analysisMarkdown(analysis, url), 'Copied as Markdown')
  const copyPrompt = () => copy(analysisPrompt(analysis, url), 'Copied as a prompt for an agent')
  useShortcuts({ m: copyMarkdown, p: copyPrompt })
  return (
    <Menu
      align="end"
      trigger={
        <Button title="Copy (m, p)" icon={<ClipboardCopy size={14} aria-hidden="true" />}>
          Copy
        </Button>
      }
    >
      <MenuItem icon={<Hash size={14} aria-hidden="true" />} detail={hasKeyboard && 'm'} onSelect={copyMarkdown}>
        As Markdown, for a channel
      </MenuItem>
      <MenuItem icon={<Bot size={14} aria-hidden="true" />} detail={hasKeyboard && 'p'} onSelect={copyPrompt}>
        As a prompt for an agent
      </MenuItem>
    </Menu>
  )
}
