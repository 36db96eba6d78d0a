import { useMutation } from '@tanstack/react-query'
import type { RedactionSettings } from '@tidemark/wire/project'
import { useState } from 'react'
import { previewRedaction } from '../../api/projects.ts'
import { plainText } from '../../text/plain-text.ts'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { Problem } from '../../ui/problem.tsx'
import { TextArea } from '../../ui/text-area.tsx'
import { SectionHeading } from '../section-heading.tsx'

type TesterProps = {
  projectId: string
  redaction: RedactionSettings | undefined
  onRefused: (error: Error, tried: RedactionSettings) => void
}

export function RedactionTester({ projectId, redaction, onRefused }: TesterProps) {
  const [text, setText] = useState('')
  const trial = useMutation({
    mutationFn: () => previewRedaction(projectId, { text, ...(redaction ? { redaction } : {}) }),
    onError: (error) => redaction && onRefused(error, redaction),
  })
  return (
    <section>
      <SectionHeading
        title="Tester"
        about="Shows what a text would become with the rules above, saved or not. Nothing of it is stored."
      />
      <div className="flex flex-col gap-3 rounded-control border border-border bg-surface p-4">
        <TextArea
          label="Sample"
          hint='For example: {"message":"login failed","password":"hunter2"}'
          rows={4}
          value={text}
          onChange={(event) => setText(event.target.value)}
        />
        <div>
          <Button onClick={() => trial.mutate()} isBusy={trial.isPending} disabled={text === '' || !redaction}>
            Try
          </Button>
        </div>
        {trial.error && <Problem error={trial.error} />}
        {trial.data && (
          <div role="status" className="flex flex-col gap-2">
            <pre className="overflow-x-auto rounded-control border border-border bg-background p-3 font-mono text-small whitespace-pre-wrap [overflow-wrap:anywhere]">
              {plainText(trial.data.text)}
            </pre>
            <p className="flex flex-wrap items-center gap-2 text-muted">
              {Object.keys(trial.data.redactions).length === 0 ? 'Nothing was replaced.' : 'Replaced by:'}
              {Object.entries(trial.data.redactions).map(([rule, count]) => (
                <Badge key={rule}>
                  {rule} × {count}
                </Badge>
              ))}
            </p>
            {trial.data.counters.length > 0 && (
              <p className="text-small text-muted">
                In this project so far:{' '}
                {trial.data.counters.map(({ rule, redactions }) => `${rule} ${redactions}`).join(', ')}
              </p>
            )}
          </div>
        )}
      </div>
    </section>
  )
}
