import { counted, withCommas } from '@tidemark/wire/text/counted'
import { Download } from 'lucide-react'
import { useRef, useState } from 'react'
import { exportAddress } from '../api/logs.ts'
import { Button, IconButton } from '../ui/button.tsx'
import { useCopyAndSay } from '../ui/copy.tsx'
import { Menu, MenuHeading, MenuItem, MenuSeparator } from '../ui/menu.tsx'
import { useToast } from '../ui/toast.tsx'
import { asCommand, asCurl, asMcpCall } from './copy-as.ts'
import { type ExportFormat, type ExportProgress, saveExport } from './export-file.ts'
import type { LogsAddress } from './logs-address.ts'

export function ExportMenu({ address: { projectId, filter, search } }: { address: LogsAddress }) {
  const say = useToast()
  const copy = useCopyAndSay()
  const [progress, setProgress] = useState<ExportProgress>()
  const running = useRef<AbortController>(undefined)

  const save = async (format: ExportFormat) => {
    running.current?.abort()
    const stop = new AbortController()
    running.current = stop
    setProgress({ done: 0, total: 0, leftOut: 0 })
    try {
      const address = exportAddress(projectId, filter, format)
      const { done, leftOut } = await saveExport(address, { format, signal: stop.signal, onProgress: setProgress })
      say(
        leftOut === 0
          ? `Exported ${counted(done, 'record')}`
          : `Exported ${counted(done, 'record')}; ${withCommas(leftOut)} older ones are left out: narrow the time range to get them`,
      )
    } catch (error) {
      say(stop.signal.aborted ? 'The export was cancelled' : `The export failed: ${(error as Error).message}`)
    } finally {
      if (running.current === stop) setProgress(undefined)
    }
  }

  const asked = { origin: location.origin, filter, search }
  const command = asCommand(asked)

  return (
    <>
      <Menu
        align="end"
        trigger={
          <IconButton label="Export or copy">
            <Download size={15} aria-hidden="true" />
          </IconButton>
        }
      >
        <MenuHeading>All records of this search</MenuHeading>
        <MenuItem onSelect={() => save('ndjson')}>Export NDJSON</MenuItem>
        <MenuItem onSelect={() => save('csv')}>Export CSV</MenuItem>
        <MenuSeparator />
        <MenuHeading>Copy this search</MenuHeading>
        <MenuItem onSelect={() => copy(asCurl(asked), 'Copied as curl')}>Copy as curl</MenuItem>
        {command !== undefined && (
          <MenuItem onSelect={() => copy(command, 'Command copied')}>Copy as tidemark command</MenuItem>
        )}
        <MenuItem onSelect={() => copy(asMcpCall(asked), 'Copied as an MCP call')}>Copy as MCP call</MenuItem>
      </Menu>
      {progress && (
        <div className="float fixed right-4 bottom-4 z-50 flex items-center gap-3 px-3 py-2 max-sm:bottom-16">
          <progress
            aria-label="Export"
            className="h-1.5 w-32 accent-accent"
            max={Math.max(1, progress.total)}
            {...(progress.total > 0 && { value: progress.done })}
          />
          <span className="tabular-nums">
            {progress.total === 0 ? 'Counting' : `${withCommas(progress.done)} of ${counted(progress.total, 'record')}`}
          </span>
          <Button onClick={() => running.current?.abort()}>Cancel</Button>
        </div>
      )}
    </>
  )
}
