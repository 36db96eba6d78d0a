import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { LINK_HOURS } from '@tidemark/wire/limits'
import type { CreatedInvitationAnswer } from '@tidemark/wire/people/member'
import type { ProjectRole } from '@tidemark/wire/people/role'
import { counted } from '@tidemark/wire/text/counted'
import { type FormEvent, useState } from 'react'
import { invitationsQuery, invite, withdrawInvitation } from '../../api/members.ts'
import { ROLE_WORDS, ROLES } from '../../api/roles.ts'
import { TimeAgo } from '../../time/time-ago.tsx'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { CopyBlock } from '../../ui/copy.tsx'
import { Field, SelectField } from '../../ui/field.tsx'
import { Problem } from '../../ui/problem.tsx'
import { Cell, Row, Table } from '../../ui/table.tsx'
import { SectionHeading } from '../section-heading.tsx'

export function Invitations({ projectId }: { projectId: string }) {
  const queryClient = useQueryClient()
  const invitations = useQuery(invitationsQuery(projectId))
  const refresh = () => queryClient.invalidateQueries({ queryKey: invitationsQuery(projectId).queryKey })
  const [made, setMade] = useState<CreatedInvitationAnswer>()
  const withdrawal = useMutation({
    mutationFn: (id: string) => withdrawInvitation(projectId, id),
    onSuccess: (_, id) => setMade((before) => (before?.invitation.id === id ? undefined : before)),
    onSettled: refresh,
  })
  return (
    <section>
      <SectionHeading
        title="Invitations"
        about={`A link for one person, good for ${counted(LINK_HOURS / 24, 'day')} and for one use. No e-mail is sent: share the link yourself.`}
      />
      <div className="flex flex-col gap-4">
        <InviteForm
          projectId={projectId}
          made={made}
          onMade={(invitation) => {
            setMade(invitation)
            refresh()
          }}
        />
        {withdrawal.error && <Problem error={withdrawal.error} />}
        {invitations.error && <Problem error={invitations.error} onRetry={invitations.refetch} />}
        {invitations.data && invitations.data.invitations.length > 0 && (
          <Table label="Open invitations" head={['E-mail', 'Role', 'Created', 'Expires', '']}>
            {invitations.data.invitations.map(({ id, email, role, createdAt, expiresAt }) => (
              <Row key={id}>
                <Cell>{email}</Cell>
                <Cell>
                  <Badge>{ROLE_WORDS[role]}</Badge>
                </Cell>
                <Cell>
                  <TimeAgo at={createdAt} />
                </Cell>
                <Cell>
                  <TimeAgo at={expiresAt} />
                </Cell>
                <Cell className="sm:text-right">
                  <Button look="danger" onClick={() => withdrawal.mutate(id)} aria-label={`Withdraw ${email}`}>
                    Withdraw
                  </Button>
                </Cell>
              </Row>
            ))}
          </Table>
        )}
      </div>
    </section>
  )
}

type InviteFormProps = {
  projectId: string
  /** The one made last, with its link, until it is withdrawn. */
  made: CreatedInvitationAnswer | undefined
  onMade: (invitation: CreatedInvitationAnswer) => void
}

function InviteForm({ projectId, made, onMade }: InviteFormProps) {
  const [email, setEmail] = useState('')
  const [role, setRole] = useState<ProjectRole>('member')
  const invitation = useMutation({
    mutationFn: () => invite(projectId, { email, role }),
    onSuccess: (answer) => {
      setEmail('')
      onMade(answer)
    },
    gcTime: 0,
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    invitation.mutate()
  }
  return (
    <div className="flex flex-col gap-3 rounded-control border border-border bg-surface p-4">
      <form onSubmit={submit} className="flex flex-wrap items-end gap-2">
        <div className="min-w-52 flex-1">
          <Field
            label="E-mail"
            type="email"
            required
            value={email}
            onChange={(event) => setEmail(event.target.value)}
          />
        </div>
        <div className="w-28">
          <SelectField
            label="Role"
            options={ROLES}
            value={role}
            onChange={(event) => setRole(event.target.value as ProjectRole)}
          />
        </div>
        <Button type="submit" look="primary" isBusy={invitation.isPending}>
          Invite
        </Button>
      </form>
      {invitation.error && <Problem error={invitation.error} />}
      {made && (
        <div className="flex flex-col gap-1.5">
          <p className="text-muted">
            The link for {made.invitation.email}. <strong className="font-medium text-text">Shown only once.</strong>
          </p>
          {/* Its own for each link: what was copied or selected is that of the one before. */}
          <CopyBlock key={made.link} text={made.link} label="Invitation link" />
        </div>
      )}
    </div>
  )
}
