import { CircleHelp, Share2, SquareTerminal } from 'lucide-react'
import { IconButton } from '../ui/button.tsx'
import { Later } from '../ui/later.tsx'
import { EnvironmentPicker } from './environment-picker.tsx'
import { PALETTE_KEYS } from './kbd.tsx'
import { PersonMenu } from './person-menu.tsx'
import { ProjectSwitcher } from './project-switcher.tsx'
import { RangePicker } from './range-picker.tsx'
import { useShareLink } from './share-link.ts'

type TopBarProps = {
  projectId: string
  projectName: string
  isRangeOpen: boolean
  onRangeOpen: (isOpen: boolean) => void
  onPalette: () => void
  onHelp: () => void
}

export function TopBar({ projectId, projectName, isRangeOpen, onRangeOpen, onPalette, onHelp }: TopBarProps) {
  const share = useShareLink()
  return (
    // One line at every width: where names and range are long, the environment gives way first, then the project.
    <header className="flex h-11 shrink-0 pointer-coarse:h-12 items-center gap-1 border-b border-border bg-surface px-2">
      <Later>
        <ProjectSwitcher projectId={projectId} projectName={projectName} />
        <span className="text-faint max-sm:hidden" aria-hidden="true">
          /
        </span>
        <EnvironmentPicker projectId={projectId} />
        <div className="ml-auto flex shrink-0 items-center gap-1">
          <RangePicker isOpen={isRangeOpen} onOpenChange={onRangeOpen} />
          <IconButton label="Copy link to this view" onClick={share} className="max-sm:hidden">
            <Share2 size={15} aria-hidden="true" />
          </IconButton>
          <IconButton label={`Commands (${PALETTE_KEYS})`} onClick={onPalette} className="max-sm:hidden">
            <SquareTerminal size={15} aria-hidden="true" />
          </IconButton>
          <IconButton label="Help (?)" onClick={onHelp} className="max-sm:hidden">
            <CircleHelp size={16} aria-hidden="true" />
          </IconButton>
          <PersonMenu onShare={share} onPalette={onPalette} onHelp={onHelp} />
        </div>
      </Later>
    </header>
  )
}
