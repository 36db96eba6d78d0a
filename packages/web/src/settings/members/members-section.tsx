import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { RESET_LINK_HOURS } from '@tidemark/wire/limits'
import type { Member } from '@tidemark/wire/people/member'
import type { ProjectRole } from '@tidemark/wire/people/role'
import { useState } from 'react'
import { changeMember, createPasswordReset, membersQuery, removeMember } from '../../api/members.ts'
import { ROLE_WORDS, ROLES, useRole } from '../../api/roles.ts'
import { sessionQuery } from '../../api/session.ts'
import { TimeAgo } from '../../time/time-ago.tsx'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { Confirm } from '../../ui/confirm.tsx'
import { CopyBlock } from '../../ui/copy.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { SelectField } from '../../ui/field.tsx'
import { Problem } from '../../ui/problem.tsx'
import { SkeletonRows } from '../../ui/skeleton.tsx'
import { Cell, Row, Table } from '../../ui/table.tsx'
import { SectionHeading } from '../section-heading.tsx'
import { Invitations } from './invitations.tsx'

const ROLES_EXPLAINED =
  'Viewers can read. Members can also see and create keys. Owners can also change settings and members.'

export function MembersSection({ projectId }: { projectId: string }) {
  const isOwner = useRole(projectId) === 'owner'
  const { data, error, isPending, refetch } = useQuery(membersQuery(projectId))
  if (isPending) return <SkeletonRows />
  if (error) return <Problem error={error} onRetry={refetch} />
  return (
    <div className="flex flex-col gap-10">
      <section>
        <SectionHeading
          title="Members"
          about={isOwner ? ROLES_EXPLAINED : `${ROLES_EXPLAINED} Only owners can change them.`}
        />
        <Table label="Members" head={['Name', 'E-mail', 'Role', 'Joined', '']}>
          {data.members.map((member) => (
            <MemberRow key={member.personId} projectId={projectId} member={member} canChange={isOwner} />
          ))}
        </Table>
      </section>
      {isOwner && <Invitations projectId={projectId} />}
    </div>
  )
}

type MemberRowProps = { projectId: string; member: Member; canChange: boolean }

function MemberRow({ projectId, member, canChange }: MemberRowProps) {
  const [isRemoving, setRemoving] = useState(false)
  const [isResetting, setResetting] = useState(false)
  const queryClient = useQueryClient()
  const refresh = () => queryClient.invalidateQueries({ queryKey: membersQuery(projectId).queryKey })
  const change = useMutation({
    mutationFn: (role: ProjectRole) => changeMember(projectId, member.personId, role),
    onSettled: refresh,
  })
  const removal = useMutation({ mutationFn: () => removeMember(projectId, member.personId), onSuccess: refresh })
  const { data: session } = useQuery(sessionQuery)
  const isSelf = session?.person.id === member.personId
  const isFixed = member.isInstanceOwner || !canChange
  return (
    <Row>
      <Cell className="font-medium">{member.name}</Cell>
      <Cell>{member.email}</Cell>
      <Cell>
        {isFixed ? (
          <Badge>{member.isInstanceOwner ? 'Owner of the instance' : ROLE_WORDS[member.role]}</Badge>
        ) : (
          <SelectField
            label={`Role of ${member.name}`}
            isLabelHidden
            options={ROLES}
            value={member.role}
            disabled={change.isPending}
            onChange={(event) => change.mutate(event.target.value as ProjectRole)}
          />
        )}
        {change.error && (
          <span role="alert" className="text-bad">
            {change.error.message}
          </span>
        )}
      </Cell>
      <Cell>
        <TimeAgo at={member.joinedAt} never="–" />
      </Cell>
      <Cell className="sm:text-right">
        {!isFixed && (
          <span className="inline-flex gap-2">
            {!isSelf && (
              <Button onClick={() => setResetting(true)} aria-label={`Reset the password of ${member.name}`}>
                Reset password
              </Button>
            )}
            <Button look="danger" onClick={() => setRemoving(true)} aria-label={`Remove ${member.name}`}>
              Remove
            </Button>
          </span>
        )}
        <Dialog isOpen={isResetting} onClose={() => setResetting(false)} title={`Reset the password of ${member.name}`}>
          <ResetLink projectId={projectId} member={member} />
        </Dialog>
        <Confirm
          isOpen={isRemoving}
          onClose={() => setRemoving(false)}
          title={`Remove ${member.name}?`}
          action="Remove"
          isBusy={removal.isPending}
          error={removal.error}
          onConfirm={() => removal.mutate()}
        >
          They lose access with their next request. Keys they made keep working until you revoke them.
        </Confirm>
      </Cell>
    </Row>
  )
}

function ResetLink({ projectId, member }: { projectId: string; member: Member }) {
  const reset = useMutation({ mutationFn: () => createPasswordReset(projectId, member.personId), gcTime: 0 })
  return (
    <div className="flex flex-col gap-4">
      <p className="text-muted">
        Creates a link with which {member.email} chooses a new password. It works once, for {RESET_LINK_HOURS} hours. No
        e-mail is sent: share the link yourself. The old password works until the link is used.
      </p>
      {reset.error && <Problem error={reset.error} />}
      {reset.data ? (
        <div className="flex flex-col gap-1.5">
          <p className="font-medium">Shown only once.</p>
          <CopyBlock text={reset.data.link} label="Reset link" />
        </div>
      ) : (
        <Button look="primary" isBusy={reset.isPending} onClick={() => reset.mutate()} className="self-end">
          Create link
        </Button>
      )}
    </div>
  )
}
